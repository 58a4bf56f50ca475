import { UsageError } from '../../../primitives/errors.js';
import { loadOptional } from '../../../primitives/optional-package.js';
import type { SinkKind } from '../sink-kind.js';

export interface ZeroMqOptions {
  /** Port of the publisher. */
  readonly port: number;
}

/** Default port of the native queue. Reference: NativeMessageQueue.DEFAULT_BIND_PORT. */
export const QUEUE_PORT = 5555;

/** Package of the publisher. It is optional, because it takes 41 MB. */
const ZEROMQ = 'zeromq@6';

/** Sink with the format of java-tron's native queue. */
export const zeromqKind: SinkKind<ZeroMqOptions> = {
  doc: {
    is: "a ZeroMQ publisher, like java-tron's native queue",
    guarantee: 'the node skips nothing; subscribers that connect late or read too slowly miss messages',
    because: 'the sink resumes where it stopped; ZeroMQ does not report which messages arrived',
    shownBy: '`test/integration/streams`',
  },
  members: {
    port: {
      type: 'int',
      doc: 'TCP port of the ZeroMQ publisher',
      fallback: String(QUEUE_PORT),
      read: (members, name) => members.port(name) ?? QUEUE_PORT,
    },
  },
  // ZeroMQ stores no records, so a subscriber that connects after a backfill would receive none of its records.
  fill: (_, { of }) => {
    throw new UsageError(
      `sink ${of} (type = zeromq) cannot be backfilled, because ZeroMQ stores no records; set a sink of another type with --sink`,
    );
  },
  create: async ({ name, port, finality = 'solidified' }, { checkpointFile, ledger }) => {
    const load = () => import('./zeromq-sink.js');
    const { ZeroMqSink } = await loadOptional(ZEROMQ, `sink ${name} (type = zeromq)`, load);
    return new ZeroMqSink({ name, port, checkpointFile, ledger, finality });
  },
};
