import { UsageError } from '../../../primitives/errors.js';
import type { SinkKind } from '../sink-kind.js';

export interface ZeroMqOptions {
  /** To publish on. */
  readonly port: number;
}

/** Where the native queue listens unless configured. Reference: NativeMessageQueue.DEFAULT_BIND_PORT. */
export const QUEUE_PORT = 5555;

/** The reference's native queue. */
export const zeromqKind: SinkKind<ZeroMqOptions> = {
  doc: {
    is: "a publisher of ZeroMQ, as java-tron's native queue",
    guarantee: 'the node leaves nothing out; who connects late or reads too slowly misses messages',
    because: 'it goes on where it stopped; such a queue cannot say what has arrived',
    shownBy: '`test/integration/streams`',
  },
  members: {
    port: {
      type: 'int',
      doc: 'to publish on',
      fallback: String(QUEUE_PORT),
      read: (given, name) => given.port(name) ?? QUEUE_PORT,
    },
  },
  // It begins behind the newest block: nobody can have subscribed to what was before.
  fill: (_, { of }) => {
    throw new UsageError(`sink ${of} is a queue, which holds nothing for those who come later: it cannot be filled`);
  },
  create: async ({ name, port, finality = 'solidified' }, { placeFile, ledger }) => {
    const { ZeroMqSink } = await import('./zeromq-sink.js');
    return new ZeroMqSink({ name, port, placeFile, ledger, finality });
  },
};
