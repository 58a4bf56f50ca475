import type { SinkOptionsOf } from '../../../src/streams/sinks/sink-kinds.js';
import type { SharedOptions } from '../../../src/streams/sinks/sink-options.js';

type KafkaSink = SinkOptionsOf<'kafka'>;

const shared: Omit<SharedOptions, 'name'> = {
  topics: ['transaction'],
  payload: 'json',
  key: 'transaction',
  filter: { contractAddress: [], contractTopic: [] },
};

export function kafkaSink(bootstrap: string, options: Partial<KafkaSink> = {}): KafkaSink {
  return {
    ...shared,
    name: 'kafka',
    type: 'kafka',
    bootstrap: [bootstrap],
    prefix: 'tronicle',
    topicNames: new Map(),
    partitions: 1,
    replication: 1,
    ...options,
  };
}

/** Returns the options of a sink that writes `<name>.ndjson` in the data folder. */
export function ndjsonSink(name: string, options: Partial<SinkOptionsOf<'ndjson'>> = {}): SinkOptionsOf<'ndjson'> {
  return { ...shared, name, type: 'ndjson', path: `${name}.ndjson`, ...options };
}

export function postgresSink(url: string, options: Partial<SinkOptionsOf<'postgres'>> = {}): SinkOptionsOf<'postgres'> {
  return { ...shared, name: 'postgres', type: 'postgres', url, schema: 'tronicle', partitionBlocks: 1000, ...options };
}
