import { kafkaKind } from './kafka/kafka-kind.js';
import type { KafkaOptions } from './kafka/kafka-options.js';
import { type NdjsonOptions, ndjsonKind } from './ndjson/ndjson-kind.js';
import { postgresKind } from './postgres/postgres-kind.js';
import type { PostgresOptions } from './postgres/postgres-options.js';
import type { Sink } from './sink.js';
import type { Backfill, GivenMembers, SinkContext, SinkDoc, SinkKind, SinkMember } from './sink-kind.js';
import type { SharedOptions } from './sink-options.js';
import { type StdoutOptions, stdoutKind } from './stdout/stdout-kind.js';
import { type ZeroMqOptions, zeromqKind } from './zeromq/zeromq-kind.js';

/** Options that only one kind of sink has, by kind. */
interface OwnOptions {
  readonly ndjson: NdjsonOptions;
  readonly stdout: StdoutOptions;
  readonly kafka: KafkaOptions;
  readonly postgres: PostgresOptions;
  readonly zeromq: ZeroMqOptions;
}

export type SinkType = keyof OwnOptions;
type KindTable = { readonly [Type in SinkType]: SinkKind<OwnOptions[Type]> };

/** All kinds of sinks. Configuration, commands, admin interface and forwarder read this table. */
const kinds: KindTable = {
  ndjson: ndjsonKind,
  stdout: stdoutKind,
  kafka: kafkaKind,
  postgres: postgresKind,
  zeromq: zeromqKind,
};

/** Configuration of one sink of a kind (`tronicle.sinks`). Contains only data, so it can be sent to another thread. */
export type SinkOptionsOf<Type extends SinkType> = {
  readonly [Each in Type]: SharedOptions & { readonly type: Each } & OwnOptions[Each];
}[Type];
export type SinkOptions = SinkOptionsOf<SinkType>;

export const SINK_TYPES = Object.keys(kinds) as SinkType[]; // Cast: the keys of the table are the names of the kinds.

/** Returns the options that only this kind of sink has, by name. */
export function sinkMembersOf(type: SinkType): Readonly<Record<string, SinkMember<unknown>>> {
  return kinds[type].members;
}

export function docOf(type: SinkType): SinkDoc {
  return kinds[type].doc;
}

/** Returns the kinds of sinks that support the log topic, or binary formats. */
export function kindsThat(flag: 'supportsLog' | 'supportsBinary'): readonly SinkType[] {
  return SINK_TYPES.filter((type) => rowOf(type)[flag] === true);
}

/** Reads the options of a sink. @throws {UsageError} an option is missing or invalid */
export function readSink(type: SinkType, members: GivenMembers, shared: SharedOptions): SinkOptions {
  rowOf(type).check?.(members, shared);
  const own = Object.entries(sinkMembersOf(type)).map(
    ([name, member]) => [name, member.read(members, name, shared)] as const,
  );
  const known = Object.fromEntries(own.filter(([, value]) => value !== undefined));
  return { ...shared, type, ...known } as SinkOptions; // Cast: for each option, `read` returns the type of this option.
}

/**
 * Returns the options of a sink that backfills another sink.
 * @throws {UsageError} the kind of the sink does not support this backfill
 */
export function backfillSinkOf(base: SinkOptions, fill: Backfill): SinkOptions {
  return { ...base, ...rowOf(base.type).fill(base, fill) };
}

/** Returns the path of the output file of a sink; undefined if the sink writes no file. */
export function fileOfSink(options: SinkOptions, dataDir: string): string | undefined {
  return rowOf(options.type).fileOf?.(options, dataDir);
}

export function createSink(options: SinkOptions, around: SinkContext): Promise<Sink> {
  return rowOf(options.type).create(options, around);
}

function rowOf(type: SinkType): SinkKind<object> {
  return kinds[type];
}
