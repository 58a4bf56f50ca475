import type { ClientBase } from 'pg';
import { type Partition, partitionName, partitionStatement, quoted } from './statements.js';
import { begin } from './transaction.js';

interface PartitionsOptions {
  readonly schema: string;
  readonly tables: readonly string[];
  /** Number of heights in a partition. */
  readonly blocks: number;
}

/** Creates the partitions of tables. The partition that follows the partition of the newest rows always exists. */
export class Partitions {
  private readonly options: PartitionsOptions;
  private readonly known: Set<string>;

  private constructor(options: PartitionsOptions, known: Set<string>) {
    this.options = options;
    this.known = known;
  }

  /** Reads the names of existing partitions. */
  static async read(client: ClientBase, options: PartitionsOptions): Promise<Partitions> {
    const parents = options.tables.map((table) => quoted(options.schema, table));
    const { rows } = await client.query<{ name: string }>(
      'select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = any($1::regclass[])',
      [parents],
    );
    return new Partitions(options, new Set(rows.map(({ name }) => name)));
  }

  /**
   * Creates the missing partitions of a range of heights, and the partition after the range. Uses its own short
   * transaction, so that writing rows is not delayed, and readers wait only for a moment.
   */
  async ensure(client: ClientBase, first: number, last: number): Promise<void> {
    const { schema, tables, blocks } = this.options;
    const missing: Partition[] = [];
    for (let from = first - (first % blocks); from <= last + blocks; from += blocks)
      for (const table of tables)
        if (!this.known.has(partitionName({ table, from, blocks }))) missing.push({ table, from, blocks });
    if (missing.length === 0) return;
    await begin(client);
    for (const partition of missing) await client.query(partitionStatement(schema, partition));
    await client.query('commit');
    for (const partition of missing) this.known.add(partitionName(partition));
  }
}
