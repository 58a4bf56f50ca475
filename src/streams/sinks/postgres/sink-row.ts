import type { ClientBase } from 'pg';
import type { BlockPosition } from '../../follow/block-position.js';
import { SinkError } from '../../sink-error.js';
import { BlockNotInLogError } from '../sink.js';
import { quoted } from './statements.js';
import { begin } from './transaction.js';

interface SinkRowOptions {
  /** Name of the sink. */
  readonly name: string;
  readonly schema: string;
  /** Random id of this process. */
  readonly owner: string;
  /** Host and data folder, for messages to the operator. */
  readonly folder: string;
}

interface StoredRow {
  readonly owner: string | null;
  readonly folder: string | null;
  readonly seq: string | null;
  readonly number: string | null;
  readonly id: string | null;
}

/**
 * The row of a sink in the table `sinks`. It contains the position, and the process that may write.
 *
 * A claim increments the epoch of the row. Each transaction updates the row only if the row has the epoch of its
 * connection. A transaction of an earlier process or connection therefore updates no row. The row lock orders claims
 * and transactions: a claim waits for an open transaction and then reads its position.
 */
export class SinkRow {
  private readonly options: SinkRowOptions;
  private readonly table: string;
  private epoch = '';
  private hasClaimed = false;

  constructor(options: SinkRowOptions) {
    this.options = options;
    this.table = quoted(options.schema, 'sinks');
  }

  /**
   * Claims the sink for this process. Returns the position of the sink; undefined if it has forwarded nothing.
   * @throws {SinkError} another process has claimed the sink since this process claimed it
   * @throws {BlockNotInLogError} the log does not contain the position; the claim of the previous process remains
   */
  async claim(client: ClientBase, isInLog: (position: BlockPosition) => boolean): Promise<BlockPosition | undefined> {
    const { table } = this;
    const { name, owner, folder } = this.options;
    await begin(client);
    await client.query(`insert into ${table} (name) values ($1) on conflict do nothing`, [name]);
    const { rows } = await client.query<StoredRow>(
      `select owner, folder, seq, block_number as number, block_hash as id from ${table} where name = $1 for update`,
      [name],
    );
    const [row] = rows;
    const isOther = row !== undefined && row.owner !== null && row.owner !== owner;
    if (this.hasClaimed && isOther) throw this.claimedByOther(row.folder);
    const position = row && positionIn(row);
    if (position !== undefined && !isInLog(position)) throw new BlockNotInLogError(name, position);
    const claimed = await client.query<{ epoch: string }>(
      `update ${table} set epoch = epoch + 1, owner = $2, folder = $3, claimed_at = now() where name = $1 returning epoch`,
      [name, owner, folder],
    );
    await client.query('commit');
    this.epoch = claimed.rows[0]?.epoch ?? '';
    this.hasClaimed = true;
    return position;
  }

  /**
   * Sets the position. Must be the first statement of a transaction, because it locks the row until the end of the
   * transaction.
   * @throws {SinkError} another process has claimed the sink, or the row was deleted
   */
  async advance(client: ClientBase, { seq, number, id }: BlockPosition): Promise<void> {
    const { table, epoch } = this;
    const { name, owner } = this.options;
    const { rowCount } = await client.query(
      `update ${table} set seq = $4, block_number = $5, block_hash = $6, updated_at = now() where name = $1 and epoch = $2 and owner = $3`,
      [name, epoch, owner, seq, number, id],
    );
    if (rowCount === 1) return;
    const { rows } = await client.query<StoredRow>(`select folder from ${table} where name = $1`, [name]);
    const [row] = rows;
    throw row === undefined ? this.rowDeleted() : this.claimedByOther(row.folder);
  }

  private rowDeleted(): SinkError {
    const { name, schema } = this.options;
    return new SinkError(
      `the row of sink ${name} in ${schema}.sinks was deleted; restore the row, or run 'tronicle stream resume ${name}' ` +
        'to write everything again',
    );
  }

  private claimedByOther(folder: string | null | undefined): SinkError {
    const { name, schema } = this.options;
    const other = folder ? ` (data folder ${folder})` : '';
    return new SinkError(
      `sink ${name} of schema ${schema} has stopped, because another process uses the same sink name${other}; give ` +
        `the sink of each node its own name, or stop the other process and run 'tronicle stream resume ${name}'`,
    );
  }
}

function positionIn({ seq, number, id }: StoredRow): BlockPosition | undefined {
  return seq === null || number === null || id === null ? undefined : { seq: Number(seq), number: Number(number), id };
}
