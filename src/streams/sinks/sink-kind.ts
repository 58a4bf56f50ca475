import type { Logger } from 'pino';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { Trigger } from '../event-kinds.js';
import type { Sink } from './sink.js';
import type { SharedOptions } from './sink-options.js';

/**
 * Definition of a kind of sink, for the table in `sink-kinds.ts`. All code that is specific to a kind is in the folder
 * of the kind.
 */
export interface SinkKind<Own extends object> {
  readonly doc: SinkDoc;
  /** Options that only this kind has. They are fields of an element of `tronicle.sinks`. */
  readonly members: { readonly [Name in keyof Own]-?: SinkMember<Own[Name]> };
  /** True if the kind supports the log topic, for read replicas. */
  readonly supportsLog?: true;
  /** True if the kind supports values in binary formats (protobuf, Avro). */
  readonly supportsBinary?: true;
  /**
   * Checks the options that every kind has. If the function is absent, the kind allows all these options.
   * @throws {UsageError} the kind does not support an option
   */
  check?(members: GivenMembers, shared: SharedOptions): void;
  /**
   * Returns the options that a backfill changes, to separate old records from new records.
   * @throws {UsageError} the backfill needs a target, or the kind does not support backfills
   */
  fill(own: Own, fill: Backfill): Partial<Own>;
  /** Returns the path of the output file of a sink. Undefined if sinks of this kind write no file. */
  fileOf?(own: Own, dataDir: string): string;
  /** Loads the modules of this kind. Creates a sink that is not open yet. */
  create(options: SharedOptions & Own, around: SinkContext): Promise<Sink>;
}

/**
 * Description of a kind of sink, and its guarantee to readers of the records. It becomes a row of the table in
 * `docs/streams.md`.
 */
export interface SinkDoc {
  readonly is: string;
  readonly guarantee: string;
  readonly because: string;
  /** Test or command that verifies the guarantee. */
  readonly shownBy: string;
}

/** One option of a kind of sink. */
export interface SinkMember<Value> {
  /** Type of the option, for `config/README.md`. */
  readonly type: string;
  readonly doc: string;
  /** Default value. `absent` means no default. {@link MANDATORY} means that the option is required. */
  readonly fallback: string;
  /** Reads the value; undefined if it is not set. @throws {UsageError} the value is missing or invalid */
  read(members: GivenMembers, name: string, shared: SharedOptions): Value;
  /** Returns the value in the format that `read` accepts. Without this function, the value already has this format. */
  toJson?(value: Value): unknown;
  /**
   * Returns the part of the value that logs, commands and the admin interface may display. Without this function, they
   * may display the whole value.
   */
  shown?(value: Value): unknown;
}

export const MANDATORY = 'mandatory';

/** Objects that a sink of any kind may use. */
export interface SinkContext {
  readonly dataDir: string;
  /** Path of the sink's checkpoint file. It is the argument of `CheckpointFile`. */
  readonly checkpointFile: string;
  readonly ledger: Ledger;
  readonly log: Logger;
}

export interface Backfill {
  /** Name of the backfill sink. */
  readonly name: string;
  /** Name of the sink whose records are backfilled. */
  readonly of: string;
  readonly trigger: Trigger;
  /** True if the sink whose records are backfilled also sends this trigger. */
  readonly isSent: boolean;
  /** Value of `--into`: target of the records; undefined if not set. */
  readonly into: string | undefined;
}

/** Reads the configured options of a sink. All methods throw a `UsageError` with the name of the option. */
export interface GivenMembers {
  text(name: string): string | undefined;
  required(name: string): string;
  oneOf<const T extends string>(name: string, words: readonly T[], fallback?: T): T;
  boolean(name: string, fallback: boolean): boolean;
  /** Reads an integer from 1 to 10,000. */
  count(name: string, fallback: number): number;
  /** Reads an integer that is not negative. */
  height(name: string): bigint | undefined;
  /** Reads an integer from 1 to 65,535. */
  port(name: string): number | undefined;
  /** Reads a list of texts, or one text with commas; empty if it is not set. */
  list(name: string): readonly string[];
  map(name: string): ReadonlyMap<string, string>;
  object(name: string): GivenMembers | undefined;
  /** Rejects members that are not in `names`. */
  refuseOthers(names: readonly string[]): void;
  error(name: string, what: string): Error;
}
