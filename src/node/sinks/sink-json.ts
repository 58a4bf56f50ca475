import type { SinkOptions } from '../../streams/sinks/sink-options.js';
import type { SinkJson } from './sink-registry.js';

/** A sink in the form of the configuration. */
export function sinkToJson({ filter, topicNames, ...sink }: SinkOptions): SinkJson {
  const { fromBlock, toBlock, ...lists } = filter;
  return {
    ...sink,
    topicNames: Object.fromEntries(topicNames),
    filter: {
      ...lists,
      ...(fromBlock !== undefined && { fromBlock: Number(fromBlock) }),
      ...(toBlock !== undefined && { toBlock: Number(toBlock) }),
    },
  };
}

/** What may be shown of it: no password. */
export function shownSink(sink: SinkOptions): SinkJson {
  const { sasl, ...json } = sinkToJson(sink) as SinkJson & { sasl?: { mechanism: string; username: string } };
  return sasl === undefined ? json : { ...json, sasl: { mechanism: sasl.mechanism, username: sasl.username } };
}
