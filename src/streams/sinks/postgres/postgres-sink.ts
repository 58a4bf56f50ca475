import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Logger } from 'pino';
import { type BlockPosition, positionOf } from '../../follow/block-position.js';
import type { BlockRecords } from '../../records/event-record.js';
import { SinkError } from '../../sink-error.js';
import { CheckpointFile } from '../checkpoint-file.js';
import { EMPTY_BLOCKS_MAX, type Sink } from '../sink.js';
import { DatabaseConnection } from './database-connection.js';
import { migrate } from './migrations.js';
import { Partitions } from './partitions.js';
import type { PostgresSinkOptions } from './postgres-options.js';
import { type RowStep, rowSteps } from './rows.js';
import { SinkRow } from './sink-row.js';
import { deleteStatement, quoted, upsertStatement } from './statements.js';
import { isTableTrigger, type TableTrigger, tableOf } from './tables.js';
import { begin } from './transaction.js';

interface OpenPostgresSinkOptions {
  readonly sink: PostgresSinkOptions;
  /** Path of the checkpoint file in this data folder. Pruning does not delete the log entries after the checkpoint. */
  readonly checkpointFile: string;
  /** Host and data folder, for messages to the operator. */
  readonly folder: string;
  /** Id of the genesis block in hex. A schema contains the rows of only one chain. */
  readonly genesisId: string;
  readonly log: Logger;
}

/**
 * Writes records as rows of tables. One transaction contains the rows of whole blocks and the position of the sink. The
 * tables therefore have neither a gap nor a duplicate, even after a crash of node or database.
 */
export class PostgresSink implements Sink {
  readonly name: string;
  readonly batch = { records: 5000, bytes: 8 * 1024 * 1024 };
  private readonly options: OpenPostgresSinkOptions;
  private readonly stored: CheckpointFile;
  private readonly row: SinkRow;
  private readonly tables: readonly string[];
  private readonly upserts: ReadonlyMap<TableTrigger, string>;
  private session: { readonly connection: DatabaseConnection; readonly partitions: Partitions } | undefined;
  private number = -1;

  constructor(options: OpenPostgresSinkOptions) {
    const { sink, checkpointFile, folder } = options;
    const { name, schema } = sink;
    const triggers = (sink.only ?? sink.topics).filter(isTableTrigger);
    this.name = name;
    this.options = options;
    this.stored = new CheckpointFile(checkpointFile);
    this.row = new SinkRow({ name, schema, folder, owner: randomBytes(8).toString('hex') });
    this.tables = [...new Set(triggers.map((trigger) => tableOf(trigger).table))];
    this.upserts = new Map(triggers.map((trigger) => [trigger, upsertStatement(schema, tableOf(trigger))]));
  }

  /**
   * Opens the sink. Creates or migrates the tables if needed. Then claims the sink, which ends the claim of the
   * previous process.
   * @throws {SinkError} the tables are newer, have rows of another chain or partitions of another size, or another
   * process writes for this sink
   * @throws {BlockNotInLogError} the log does not contain the position; the previous process keeps its claim
   * @throws {PostgresError} the database rejected a statement or is not available
   */
  async open(isInLog: (position: BlockPosition) => boolean = () => true): Promise<BlockPosition | undefined> {
    await this.close();
    const { name, tables } = this;
    const { sink, log } = this.options;
    const stored = this.stored.read();
    const connection = new DatabaseConnection(sink);
    return connection.attempt(async (client) => {
      await connection.connect();
      await migrate(client, sink.schema);
      await begin(client);
      await this.checkChain(client);
      const partitions = await Partitions.read(client, { schema: sink.schema, tables, blocks: sink.partitionBlocks });
      await client.query('commit');
      const position = await this.row.claim(client, isInLog);
      if (stored !== undefined && stored.seq > (position?.seq ?? -1))
        log.warn(
          { sink: name, folderNumber: stored.number, databaseNumber: position?.number ?? null },
          'the database of a sink has fewer blocks than the data folder has recorded as forwarded, sending these blocks again',
        );
      this.session = { connection, partitions };
      this.number = position?.number ?? -1;
      return position;
    });
  }

  async write(blocks: readonly BlockRecords[]): Promise<void> {
    const { session } = this;
    const newest = blocks.at(-1);
    if (session === undefined || newest === undefined) throw new Error(`sink ${this.name} is not open`);
    const { steps, heights } = rowSteps(blocks);
    if (steps.length === 0 && newest.number - this.number < EMPTY_BLOCKS_MAX) return;
    await session.connection.attempt(async (client) => {
      if (heights !== undefined) await session.partitions.ensure(client, heights.first, heights.last);
      await begin(client);
      await this.row.advance(client, positionOf(newest));
      for (const step of steps) await this.perform(client, step);
      await client.query('commit');
    });
    this.number = newest.number;
    this.stored.write(positionOf(newest));
  }

  async close(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    await session?.connection.close();
  }

  private async perform(client: ClientBase, step: RowStep): Promise<void> {
    if (step.do === 'upsert') {
      await client.query(this.upsertOf(step.trigger), [step.json]);
      return;
    }
    const { schema } = this.options.sink;
    for (const table of this.tables) await client.query(deleteStatement(schema, table), [step.number]);
  }

  private upsertOf(trigger: TableTrigger): string {
    const statement = this.upserts.get(trigger);
    if (statement === undefined) throw new Error(`sink ${this.name} has no topic ${trigger}`);
    return statement;
  }

  /**
   * Stores the genesis id and the partition size at the first start. Compares them at later starts.
   * @throws {SinkError} the tables have rows of another chain, or partitions of another size
   */
  private async checkChain(client: ClientBase): Promise<void> {
    const { genesisId, sink } = this.options;
    const { schema, partitionBlocks } = sink;
    const table = quoted(schema, 'chain');
    const read = `select genesis_id as genesis, partition_blocks::integer as blocks from ${table}`;
    let { rows } = await client.query<{ genesis: string; blocks: number }>(read);
    if (rows.length === 0) {
      const insert = `insert into ${table} (genesis_id, partition_blocks) values ($1, $2) on conflict do nothing`;
      await client.query(insert, [genesisId, partitionBlocks]);
      ({ rows } = await client.query(read));
    }
    const [chain] = rows;
    if (chain?.genesis !== genesisId)
      throw new SinkError(
        `schema ${schema} contains another chain (genesis block ${chain?.genesis}) than this node (genesis block ${genesisId}); set another schema for the sink`,
      );
    if (chain.blocks !== partitionBlocks)
      throw new SinkError(
        `the tables of schema ${schema} have partitions of ${chain.blocks} blocks, but partitionBlocks of the sink is ${partitionBlocks}; set partitionBlocks = ${chain.blocks}`,
      );
  }
}
