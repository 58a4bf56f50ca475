import { UsageError } from '../../../primitives/errors.js';
import type { SinkKind } from '../sink-kind.js';

/** There is nothing to say of it. */
export type StdoutOptions = Readonly<Record<never, never>>;

/** Standard output. */
export const stdoutKind: SinkKind<StdoutOptions> = {
  doc: {
    is: 'standard output, as JSON lines',
    guarantee: 'no gap; after a kill the blocks of its last 200 ms may come again',
    because: "nothing says what a pipe's reader has",
    shownBy: '`test/unit/streams/sinks`',
  },
  members: {},
  // There is one standard output: a reader tells old lines from new ones by `seq`.
  fill: (_, { of, into }) => {
    if (into !== undefined)
      throw new UsageError(`sink ${of} writes to standard output, which has no other place: leave out --into`);
    return {};
  },
  create: async ({ name }, { placeFile }) => {
    const { StdoutSink } = await import('./stdout-sink.js');
    return new StdoutSink({ name, placeFile });
  },
};
