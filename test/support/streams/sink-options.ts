import type { SinkOptions } from '../../../src/streams/sinks/sink-options.js';

export function kafkaSink(bootstrap: string, options: Partial<SinkOptions> = {}): SinkOptions {
  return {
    name: 'kafka',
    type: 'kafka',
    topics: ['transaction'],
    payload: 'json',
    bootstrap: [bootstrap],
    prefix: 'tronicle',
    topicNames: new Map(),
    key: 'transaction',
    partitions: 1,
    replication: 1,
    filter: { contractAddress: [], contractTopic: [] },
    ...options,
  };
}
