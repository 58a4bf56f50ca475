import { type SinkOptions, sinkMembersOf } from '../../streams/sinks/sink-kinds.js';
import type { SinkJson } from './sink-registry.js';

/** A sink in the form of the configuration. */
export function sinkToJson({ filter, ...sink }: SinkOptions): SinkJson {
  const { fromBlock, toBlock, ...lists } = filter;
  const members = sinkMembersOf(sink.type);
  return {
    ...sink,
    ...mapped(sink, (name, value) => members[name]?.toJson?.(value)),
    filter: {
      ...lists,
      ...(fromBlock !== undefined && { fromBlock: Number(fromBlock) }),
      ...(toBlock !== undefined && { toBlock: Number(toBlock) }),
    },
  };
}

/** What may be shown of it: no password. */
export function shownSink(sink: SinkOptions): SinkJson {
  const members = sinkMembersOf(sink.type);
  return { ...sinkToJson(sink), ...mapped(sink, (name, value) => members[name]?.shown?.(value)) };
}

/** The members that are made into something else. */
function mapped(sink: object, make: (name: string, value: unknown) => unknown): Record<string, unknown> {
  const made = Object.entries(sink).map(([name, value]) => [name, make(name, value)] as const);
  return Object.fromEntries(made.filter(([, value]) => value !== undefined));
}
