import { kafkaKind } from './kafka/kafka-kind.js';
import type { KafkaOptions } from './kafka/kafka-options.js';
import { type NdjsonOptions, ndjsonKind } from './ndjson/ndjson-kind.js';
import type { Sink } from './sink.js';
import type { Backfill, GivenMembers, SinkContext, SinkDoc, SinkKind, SinkMember } from './sink-kind.js';
import type { SharedOptions } from './sink-options.js';
import { type StdoutOptions, stdoutKind } from './stdout/stdout-kind.js';
import { type ZeroMqOptions, zeromqKind } from './zeromq/zeromq-kind.js';

/** The options of each kind of sink that are its own. */
interface OwnOptions {
  readonly ndjson: NdjsonOptions;
  readonly stdout: StdoutOptions;
  readonly kafka: KafkaOptions;
  readonly zeromq: ZeroMqOptions;
}

export type SinkType = keyof OwnOptions;
type KindTable = { readonly [Type in SinkType]: SinkKind<OwnOptions[Type]> };

/** All kinds of sinks; configuration, commands, the admin interface and the forwarder read these rows. */
const kinds: KindTable = { ndjson: ndjsonKind, stdout: stdoutKind, kafka: kafkaKind, zeromq: zeromqKind };

/** One sink of a kind, as configured (`tronicle.sinks`); can be sent to a thread. */
export type SinkOptionsOf<Type extends SinkType> = {
  readonly [Each in Type]: SharedOptions & { readonly type: Each } & OwnOptions[Each];
}[Type];
export type SinkOptions = SinkOptionsOf<SinkType>;

export const SINK_TYPES = Object.keys(kinds) as SinkType[]; // the keys of the table

/** The options of a kind that are its own, by name. */
export function sinkMembersOf(type: SinkType): Readonly<Record<string, SinkMember<unknown>>> {
  return kinds[type].members;
}

export function docOf(type: SinkType): SinkDoc {
  return kinds[type].doc;
}

/** Kinds that take something, by the flag of their rows. */
export function kindsThat(flag: 'takesLog' | 'takesProtobuf'): readonly SinkType[] {
  return SINK_TYPES.filter((type) => rowOf(type)[flag] === true);
}

/** @throws {UsageError} naming the member */
export function readSink(type: SinkType, given: GivenMembers, shared: SharedOptions): SinkOptions {
  const own = Object.entries(sinkMembersOf(type)).map(
    ([name, member]) => [name, member.read(given, name, shared)] as const,
  );
  const known = Object.fromEntries(own.filter(([, value]) => value !== undefined));
  return { ...shared, type, ...known } as SinkOptions; // what the members of a kind read are its options
}

/** The sink for a back-fill of another one. @throws {UsageError} */
export function backfillSinkOf(base: SinkOptions, fill: Backfill): SinkOptions {
  return { ...base, ...rowOf(base.type).fill(base, fill) };
}

export function createSink(options: SinkOptions, around: SinkContext): Promise<Sink> {
  return rowOf(options.type).create(options, around);
}

function rowOf(type: SinkType): SinkKind<object> {
  return kinds[type];
}
