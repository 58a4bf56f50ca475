import { type SinkOptions, sinkMembersOf } from '../../streams/sinks/sink-kinds.js';
import type { SinkJson } from './sink-registry.js';

/** Returns a sink in the JSON form of an element of `tronicle.sinks`. */
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

/** Returns a sink without passwords, for display. */
export function shownSink(sink: SinkOptions): SinkJson {
  const members = sinkMembersOf(sink.type);
  return { ...sinkToJson(sink), ...mapped(sink, (name, value) => members[name]?.shown?.(value)) };
}

/**
 * Returns an object with the values that `make` returns for each property. Omits properties for which `make` returns
 * undefined.
 */
function mapped(sink: object, make: (name: string, value: unknown) => unknown): Record<string, unknown> {
  const members = Object.entries(sink).map(([name, value]) => [name, make(name, value)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
