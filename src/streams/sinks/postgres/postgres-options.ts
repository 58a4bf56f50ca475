import { UsageError } from '../../../primitives/errors.js';
import type { Trigger } from '../../event-kinds.js';
import type { GivenMembers } from '../sink-kind.js';
import type { SharedOptions } from '../sink-options.js';
import { isTableTrigger, TABLE_TRIGGERS } from './tables.js';

export interface PostgresOptions {
  /** Connection URL. It may contain the password. */
  readonly url: string;
  readonly schema: string;
  /** Number of heights in a partition of a table. */
  readonly partitionBlocks: number;
}

/** All options of a PostgreSQL sink. */
export type PostgresSinkOptions = SharedOptions & PostgresOptions;

export const SCHEMA = 'tronicle';
export const PARTITION_BLOCKS = 1_000_000;
const PARTITION_BLOCKS_MIN = 1000;
const PARTITION_BLOCKS_MAX = 1_000_000_000;

/** A lower-case SQL name without quotes. PostgreSQL limits names to 63 bytes. */
const NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const NAME_RULE = 'a lower-case SQL name: letters, digits and _, at most 63';

/**
 * Reads the connection URL.
 * @throws {UsageError} the URL is missing or invalid. The text omits the URL, because it may contain a password.
 */
export function readUrl(members: GivenMembers, name: string): string {
  const text = members.required(name);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw members.error(name, 'must be postgres://<user>@<host>:<port>/<database>');
  return text;
}

/** Returns a connection URL without password and query parameters. */
export function shownUrl(text: string): string {
  const url = new URL(text);
  url.password = '';
  url.search = '';
  return url.href;
}

export function readSchema(members: GivenMembers, name: string): string {
  const schema = members.text(name) ?? SCHEMA;
  if (!isSchemaName(schema)) throw members.error(name, `must be ${NAME_RULE}; it must not start with pg_`);
  return schema;
}

/** Returns the schema of a backfill. @throws {UsageError} the name is not allowed */
export function backfillSchema(into: string): string {
  if (isSchemaName(into)) return into;
  throw new UsageError(`invalid --into for a PostgreSQL sink: ${into}; use the name of a schema, ${NAME_RULE}`);
}

function isSchemaName(text: string): boolean {
  return NAME.test(text) && !text.startsWith('pg_');
}

export function readPartitionBlocks(members: GivenMembers, name: string): number {
  const blocks = Number(members.height(name) ?? PARTITION_BLOCKS);
  if (blocks >= PARTITION_BLOCKS_MIN && blocks <= PARTITION_BLOCKS_MAX) return blocks;
  throw members.error(name, `must be ${PARTITION_BLOCKS_MIN}..${PARTITION_BLOCKS_MAX}`);
}

/**
 * Checks the options that every kind of sink has.
 * @throws {UsageError} a topic has no table, or `ethCompatible` is set
 */
export function checkShared(members: GivenMembers, { topics, ethCompatible }: SharedOptions): void {
  const other = topics.find((topic) => !isTableTrigger(topic));
  if (other !== undefined) throw members.error('topics', hasNoTable(other));
  if (ethCompatible) throw members.error('ethCompatible', 'is not supported by sinks of type postgres');
}

function hasNoTable(trigger: Trigger): string {
  return `contains ${trigger}, for which a sink of type postgres has no table; use ${TABLE_TRIGGERS.join(', ')}`;
}
