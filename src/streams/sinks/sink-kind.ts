import type { Logger } from 'pino';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { Trigger } from '../event-kinds.js';
import type { Sink } from './sink.js';
import type { SharedOptions } from './sink-options.js';

/** A kind of sink: its row in `sink-kinds.ts`. What one kind alone knows stands in its folder. */
export interface SinkKind<Own extends object> {
  readonly doc: SinkDoc;
  /** Its own options: each a member of an element of `tronicle.sinks`. */
  readonly members: { readonly [Name in keyof Own]-?: SinkMember<Own[Name]> };
  /** The topic of the whole log, for read replicas. */
  readonly takesLog?: true;
  /** Values in protobuf. */
  readonly takesProtobuf?: true;
  /**
   * Which of its options are others in a back-fill, so that old records do not get between new ones.
   * @throws {UsageError} a back-fill that needs to be told where it writes, or that this kind cannot take
   */
  fill(own: Own, fill: Backfill): Partial<Own>;
  /** Loads what only this kind needs, and makes a sink that is not open yet. */
  create(options: SharedOptions & Own, around: SinkContext): Promise<Sink>;
}

/** What a reader of the records may rely on: a row of the table in `docs/streams.md`. */
export interface SinkDoc {
  readonly is: string;
  readonly guarantee: string;
  readonly because: string;
  /** A test, or a command. */
  readonly shownBy: string;
}

/** One option of a kind of sink. */
export interface SinkMember<Value> {
  /** Type and meaning, for `config/README.md`. */
  readonly type: string;
  readonly doc: string;
  /** The value where it is not given; `absent` for none, {@link MANDATORY} where `read` refuses that. */
  readonly fallback: string;
  /** `undefined`: it was not given. @throws {UsageError} naming the member */
  read(given: GivenMembers, name: string, shared: SharedOptions): Value;
  /** What `read` reads again, where that is not the value itself. */
  toJson?(value: Value): unknown;
  /** What logs, commands and the admin interface may show of it, where that is not all. */
  shown?(value: Value): unknown;
}

export const MANDATORY = 'mandatory';

/** What a sink of any kind stands in. */
export interface SinkContext {
  readonly dataDir: string;
  /** Where the node remembers how far the sink has come: for a `CheckpointFile`. */
  readonly placeFile: string;
  readonly ledger: Ledger;
  readonly log: Logger;
}

export interface Backfill {
  /** Of the sink that fills. */
  readonly name: string;
  /** The sink whose records are filled in. */
  readonly of: string;
  readonly trigger: Trigger;
  /** Whether the other sink sends this kind of events itself. */
  readonly isSent: boolean;
  /** Where the operator wants the records: `--into`. */
  readonly into: string | undefined;
}

/** Members as somebody gave them. All methods throw a `UsageError` that names the member. */
export interface GivenMembers {
  text(name: string): string | undefined;
  required(name: string): string;
  oneOf<const T extends string>(name: string, words: readonly T[], fallback?: T): T;
  boolean(name: string, fallback: boolean): boolean;
  /** 1 to 10,000. */
  count(name: string, fallback: number): number;
  /** 1 to 65,535. */
  port(name: string): number | undefined;
  /** A list, or one text with commas; empty when it is not given. */
  list(name: string): readonly string[];
  map(name: string): ReadonlyMap<string, string>;
  object(name: string): GivenMembers | undefined;
  error(name: string, what: string): Error;
}
