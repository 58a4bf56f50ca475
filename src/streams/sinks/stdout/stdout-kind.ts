import { UsageError } from '../../../primitives/errors.js';
import type { SinkKind } from '../sink-kind.js';

/** A stdout sink has no options. */
export type StdoutOptions = Readonly<Record<never, never>>;

/** Sink for standard output. */
export const stdoutKind: SinkKind<StdoutOptions> = {
  doc: {
    is: 'standard output, as JSON lines',
    guarantee: 'no gap; after a kill, blocks of the last 200 ms may be written again',
    because: 'a pipe does not report what its reader has received',
    shownBy: '`test/unit/streams/sinks`',
  },
  members: {},
  // A backfill has no other target, because there is only one standard output. Readers distinguish old and new lines by
  // `seq`.
  fill: (_, { of, into }) => {
    if (into !== undefined)
      throw new UsageError(`sink ${of} (type = stdout) writes only to standard output; remove --into`);
    return {};
  },
  create: async ({ name }, { checkpointFile }) => {
    const { StdoutSink } = await import('./stdout-sink.js');
    return new StdoutSink({ name, checkpointFile });
  },
};
