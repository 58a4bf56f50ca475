import type { Fault } from '../../support/faulty-copy.js';

/** Faults of streams and sinks. */
export const streamMutants: Readonly<Record<string, readonly Fault[]>> = {
  'forward-kills': [
    {
      fault: 'the cursor is written with some batches only',
      file: 'src/streams/sinks/kafka/kafka-sink.ts',
      find: '    await this.writing([topic], () => transaction.send({ topic, messages: [message] }));\n  }\n\n  private writing',
      replace:
        '    if (Math.random() < 0.5) await this.writing([topic], () => transaction.send({ topic, messages: [message] }));\n  }\n\n  private writing',
    },
  ],
  'postgres-kills': [
    {
      fault: 'the position is committed before the rows',
      file: 'src/streams/sinks/postgres/postgres-sink.ts',
      find: '      await begin(client);\n      await this.row.advance(client, positionOf(newest));',
      replace: '      await this.row.advance(client, positionOf(newest));\n      await begin(client);',
    },
  ],
  'broker-away': [
    {
      fault: 'a sink stops at the first error',
      file: 'src/streams/forwarding/forward.ts',
      find: 'if (needsOperator(error)) throw error;',
      replace: 'if (error !== undefined) throw error;',
    },
  ],
  'lost-topics': [
    {
      fault: 'a deleted topic is created again',
      file: 'src/streams/sinks/kafka/topics.ts',
      find: 'if (positions !== undefined) throw deleted(sink, topic, cursor?.place ?? stored);',
      replace: '',
    },
  ],
  'late-producers': [
    {
      fault: 'a fenced process claims its sink again',
      file: 'src/streams/sinks/kafka/kafka-sink.ts',
      find: 'if (this.hasClaimed && owner !== undefined && owner !== this.owner)',
      replace: "if (this.hasClaimed && owner === 'nobody')",
    },
  ],
  'large-records': [
    {
      fault: 'no record is split',
      file: 'src/streams/sinks/kafka/records.ts',
      find: 'if (length <= most) return',
      replace: 'if (length >= 0) return',
    },
  ],
  subscribers: [
    {
      fault: 'a stalled subscription never ends',
      file: 'src/api/graphql/stall-guarded-stream.ts',
      find: '    if (!this.isBeingRead) return;',
      replace: '    if (this.isBeingRead) return;',
    },
  ],
  'reconnecting-subscribers': [
    {
      fault: 'a resumed subscription repeats its last event',
      file: 'src/api/graphql/events/event-stream.ts',
      find: 'this.position = { ...from, count: count + 1 };',
      replace: 'this.position = { ...from, count };',
    },
  ],
};
