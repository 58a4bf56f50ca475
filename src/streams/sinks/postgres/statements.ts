import type { TableRow } from './tables.js';

/** Returns an SQL name in quotes. Schema, table and column names of this sink need no escaping. */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join('.');
}

/**
 * Returns a statement that inserts rows, or updates rows with the same primary key. Its parameter is a JSON list of
 * records. PostgreSQL parses the numbers in it, so amounts remain exact.
 */
export function upsertStatement(schema: string, { table, key, columns }: TableRow): string {
  const names = columns.map(({ column }) => quoted(column));
  const values = columns.map(({ member, as }) => {
    const value = `r.${quoted(member)}`;
    return as === undefined ? value : as(value);
  });
  const members = [...new Set(columns.map(({ member, type }) => `${quoted(member)} ${type}`))];
  const updates = columns
    .filter(({ column }) => !key.includes(column))
    .map(({ column }) => `${quoted(column)} = excluded.${quoted(column)}`);
  return (
    `insert into ${quoted(schema, table)} (${names.join(', ')}) select ${values.join(', ')} ` +
    `from jsonb_to_recordset($1::jsonb) as r(${members.join(', ')}) ` +
    `on conflict (${key.map((name) => quoted(name)).join(', ')}) do update set ${updates.join(', ')}`
  );
}

/** Returns a statement that deletes the rows of a block. Its parameter is the height. */
export function deleteStatement(schema: string, table: string): string {
  return `delete from ${quoted(schema, table)} where block_number = $1`;
}

/** Partition of a table. It contains the rows of a range of heights. */
export interface Partition {
  readonly table: string;
  /** First height of the range. */
  readonly from: number;
  readonly blocks: number;
}

export function partitionName({ table, from }: Partition): string {
  return `${table}_from_${from}`;
}

export function partitionStatement(schema: string, partition: Partition): string {
  const { table, from, blocks } = partition;
  return (
    `create table if not exists ${quoted(schema, partitionName(partition))} partition of ${quoted(schema, table)} ` +
    `for values from (${from}) to (${from + blocks})`
  );
}
