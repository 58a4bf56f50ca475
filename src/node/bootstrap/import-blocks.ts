import { FormatError } from '../../java-tron-data/byte-reader.js';
import type { JavaData } from '../../java-tron-data/java-data.js';
import { readSeq, seqKey } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import { BATCH_BYTES_MAX } from '../../projections/ledger/ledger-types.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import type { Progress } from '../command-line/progress.js';
import type { SourceHead } from './source-head.js';

/**
 * Number of recent blocks for TAPOS and for the detection of duplicate transactions.
 * Reference: RecentBlockStore, TxCacheDB.
 */
export const RECENT_BLOCKS = 65_536;
const BATCH_ROWS_MAX = 100_000;

/**
 * Number of blocks to import with their transactions and receipts, counted from the head downwards. `none` imports only
 * the blocks that the APIs need, from the solidified block to the head.
 */
export type HistoryRequest = number | 'all' | 'none';

/** Collects writes, and commits them together in one database transaction of the log. */
class Batch {
  private readonly blocks: BlockLog;
  private writes: (() => void)[] = [];
  private bytes = 0;

  constructor(blocks: BlockLog) {
    this.blocks = blocks;
  }

  add(bytes: number, write: () => void): void {
    this.writes.push(write);
    this.bytes += bytes;
    if (this.bytes >= BATCH_BYTES_MAX || this.writes.length >= BATCH_ROWS_MAX) this.write();
  }

  write(): void {
    const { writes } = this;
    this.blocks.environment.commit(() => {
      for (const write of writes) write();
    });
    this.writes = [];
    this.bytes = 0;
  }
}

/**
 * Imports the block data that a log needs if it starts at the head: block ids, TAPOS rows and ids of recent
 * transactions. Also imports blocks with their transactions and receipts, as many as requested and available.
 * @throws {JavaDataError} the source is damaged, or the block of the head is missing
 */
export function importSourceBlocks(
  data: JavaData,
  log: BlockLog,
  { head, solidified }: SourceHead,
  history: HistoryRequest,
  progress: Progress,
): void {
  const batch = new Batch(log);
  const wished = history === 'all' ? head.number + 1 : history === 'none' ? 1 : Math.max(1, history);
  // Always imports the solidified block, because the APIs serve it from the start.
  const lowest = Math.max(0, Math.min(head.number + 1 - wished, solidified.number));
  bringIds(data, log, batch, Math.min(lowest, Math.max(0, head.number - RECENT_BLOCKS)));
  bringTapos(data, log, batch);
  const bodies = importBodies(data, log, batch, lowest, head.number, progress);
  if (!bodies.has(head.number)) throw data.error('block', `the head, block ${head.number}, is missing`);
  bringRecentTransactions(data, log, batch, bodies.lowest, progress);
  batch.write();
}

function bringIds(data: JavaData, log: BlockLog, batch: Batch, lowest: number): void {
  for (const from of lowest === 0 ? [0] : [0, lowest]) {
    const rows = data.rows('block-index', seqKey(from));
    while (rows.next()) {
      const number = readSeq(rows.key);
      const id = Buffer.from(rows.value);
      batch.add(64, () => log.imported.putId(number, id));
      // Below `lowest`, only the id of genesis is needed.
      if (from === 0 && lowest > 0) break;
    }
    rows.close();
  }
}

function bringTapos(data: JavaData, log: BlockLog, batch: Batch): void {
  const rows = data.rows('recent-block');
  while (rows.next()) {
    if (rows.key.length !== 2) throw data.error('recent-block', 'invalid row');
    const low = rows.key.readUInt16BE();
    const hash = Buffer.from(rows.value);
    batch.add(32, () => log.imported.putTapos(low, hash));
  }
}

/** Lowest and highest height of the blocks that were imported with their transactions. */
class ImportedHeights {
  lowest = Number.POSITIVE_INFINITY;
  highest = -1;

  has(number: number): boolean {
    return number === this.highest;
  }
}

function importBodies(
  data: JavaData,
  log: BlockLog,
  batch: Batch,
  lowest: number,
  highest: number,
  progress: Progress,
): ImportedHeights {
  progress.begin('blocks', { unit: 'rows' });
  const bodies = new ImportedHeights();
  const results = data.has('transactionRetStore') ? new Results(data, lowest) : undefined;
  for (const from of lowest === 0 ? [0] : [0, lowest]) {
    const rows = data.rows('block', seqKey(from));
    while (rows.next()) {
      const number = readSeq(rows.key);
      if (number > highest) break;
      const isGenesis = from === 0 && lowest > 0;
      if (isGenesis && number > 0) break;
      const body = Buffer.from(rows.value);
      const id = Buffer.from(rows.key);
      const transactionIds = transactionsOf(data, number, id, body);
      const found = number === 0 ? undefined : results?.of(number);
      const block = { number, id, transactionIds, block: body, results: found ?? Buffer.alloc(0) };
      batch.add(body.length, () => {
        log.imported.putBlock(block);
        for (const [index, transactionId] of transactionIds.entries()) {
          log.imported.putTransaction(transactionId, number, index);
        }
      });
      progress.add(1 + transactionIds.length);
      if (isGenesis) break;
      bodies.lowest = Math.min(bodies.lowest, number === 0 ? bodies.lowest : number);
      bodies.highest = number;
    }
    rows.close();
  }
  results?.close();
  return bodies;
}

function transactionsOf(data: JavaData, number: number, id: Buffer, body: Buffer): Uint8Array[] {
  try {
    const block = decodeBlock(body);
    if (!id.equals(block.id)) throw new FormatError(`id mismatch, expected ${toHex(id)}, got ${block.idHex}`);
    return block.transactions.map((transaction) => transaction.id);
  } catch (error) {
    throw data.error('block', `block ${number} is invalid (${error instanceof Error ? error.message : error})`);
  }
}

/** Reads the receipts in ascending block order, while the caller reads the blocks in the same order. */
class Results {
  private readonly rows: ReturnType<JavaData['rows']>;
  private number = -1;

  constructor(data: JavaData, lowest: number) {
    this.rows = data.rows('transactionRetStore', seqKey(lowest));
    this.step();
  }

  of(number: number): Buffer | undefined {
    while (this.number < number) this.step();
    return this.number === number ? Buffer.from(this.rows.value) : undefined;
  }

  close(): void {
    this.rows.close();
  }

  private step(): void {
    this.number = this.rows.next() ? readSeq(this.rows.key) : Number.POSITIVE_INFINITY;
  }
}

/**
 * Imports the ids of recent transactions in blocks that were not imported, so that the node detects duplicates of these
 * transactions.
 */
function bringRecentTransactions(data: JavaData, log: BlockLog, batch: Batch, below: number, progress: Progress): void {
  progress.begin('recent transactions', { unit: 'rows' });
  const rows = data.rows('recent-transaction');
  while (rows.next()) {
    const { num, transactionIds } = readRecent(data, rows.value);
    if (num >= below) continue;
    for (const hex of transactionIds) {
      const id = fromHex(hex);
      batch.add(64, () => log.imported.putTransaction(id, num, 0));
    }
    progress.add(1);
  }
  rows.close();
}

function readRecent(
  data: JavaData,
  value: Buffer,
): { readonly num: number; readonly transactionIds: readonly string[] } {
  try {
    const { num, transactionIds } = JSON.parse(value.toString()) as { num: unknown; transactionIds: unknown };
    if (typeof num !== 'number' || !Array.isArray(transactionIds)) throw new SyntaxError('unexpected fields');
    return { num, transactionIds: transactionIds.map((id) => String(id)) };
  } catch (cause) {
    throw data.error('recent-transaction', `invalid row (${cause instanceof Error ? cause.message : cause})`);
  }
}
