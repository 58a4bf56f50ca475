import { itemAt } from '../../../primitives/assert.js';
import { bloomBitIndexes, bloomKey, logBlooms, SECTION_BLOCKS } from '../../../projections/indexes/log-blooms.js';
import { lowestBlock } from '../../../projections/ledger/lowest-block.js';
import type { ProjectionDatabase } from '../../../projections/runner/projection-database.js';
import { reachOf } from '../../../projections/runner/reach.js';
import { tooManyResults } from '../rpc-error.js';
import type { LogFilter } from './log-filter.js';

/** Maximum number of cached index rows. */
const ROWS_MAX = 8192;
const WORDS_MAX = 10_000;
/** Maximum number of rows that one query may read. Reading them takes about one second. */
const READS_MAX = 500_000;
const ROW_BYTES = SECTION_BLOCKS / 8;

/** Finds the blocks that may contain the logs of a filter, using the `log-blooms` projection. */
export class LogIndex {
  private readonly ledger: Parameters<typeof reachOf>[0];
  private readonly database: ProjectionDatabase;
  private readonly rows = new Map<number, Uint8Array | undefined>();
  private readonly bitIndexes = new Map<string, readonly number[]>();
  private seq = -1;
  private headSeq = -1;
  private height = -1;

  constructor(ledger: Parameters<typeof reachOf>[0], database: ProjectionDatabase) {
    this.ledger = ledger;
    this.database = database;
  }

  /**
   * Returns the height up to which all canonical blocks are indexed; −1 if no block is indexed. Higher blocks must be
   * read one by one.
   */
  indexedHeight(): number {
    this.database.refresh();
    const cursor = this.database.cursor(logBlooms.name);
    const seq = cursor?.version === logBlooms.version ? cursor.seq : -1;
    const { position } = this.ledger;
    if (seq !== this.seq) this.rows.clear();
    if (seq !== this.seq || position.seq !== this.headSeq) {
      this.seq = seq;
      this.headSeq = position.seq;
      this.height = reachOf(this.ledger, seq) ?? -1;
    }
    // The index may have applied entries of the block log that this ledger has not read. After a reorg, the index may
    // then lack blocks that are still canonical in this ledger. It never lacks solidified blocks.
    return seq > position.seq ? Math.min(this.height, position.solidifiedNumber) : this.height;
  }

  /**
   * Returns the range of stored blocks from `first` on that a bootstrap imported below the start of the block log,
   * without genesis. The index does not contain these blocks. Undefined if there are no such blocks. Reads the block
   * log only if `first` is below its start, because most queries are for new blocks.
   */
  importedBlocks(first: number): { readonly from: number; readonly to: number } | undefined {
    const { base } = this.ledger;
    if (base === undefined || first > base.number) return undefined;
    return { from: Math.max(first, lowestBlock(this.ledger)), to: base.number };
  }

  /**
   * Returns the heights of blocks that may match, in ascending order. Omits blocks that are not in the block log. All
   * blocks of the block log up to `to` must be indexed.
   * @param checkTime called for each section of the index, because a section may have no matching block
   * @throws {RpcError} the query reads too many rows
   */
  *candidates(filter: LogFilter, lowest: number, to: number, checkTime: () => void): Generator<number> {
    const conditions = this.conditionsOf(filter);
    const { startNumber } = this.ledger;
    const from = startNumber === 0 ? lowest : Math.max(lowest, startNumber + 1);
    const [first, last] = [Math.floor(from / SECTION_BLOCKS), Math.floor(to / SECTION_BLOCKS)];
    const reads = conditions.reduce((count, words) => count + 3 * words.length, 0) * (last - first + 1);
    if (reads > READS_MAX)
      throw tooManyResults('too many blocks for this number of addresses and topics; narrow the query');
    for (let section = first; section <= last; section++) {
      checkTime();
      const base = section * SECTION_BLOCKS;
      const start = Math.max(from, base) - base;
      const end = Math.min(to, base + SECTION_BLOCKS - 1) - base;
      const matching = this.matching(section, conditions);
      for (let bitIndex = start; bitIndex <= end; bitIndex++) {
        if (matching === undefined || (itemAt(matching, bitIndex >> 3) >> (bitIndex & 7)) & 1) yield base + bitIndex;
        // If the next eight blocks cannot match, skips their byte. Most bytes of the bit set are zero.
        else if ((bitIndex & 7) === 0 && matching[bitIndex >> 3] === 0) bitIndex += 7;
      }
    }
  }

  /**
   * Converts a filter to conditions on bloom filters, all of which must be met. Each condition is a list of
   * alternatives, and each alternative is a list of bit positions.
   */
  private conditionsOf({ addresses, topics }: LogFilter): (readonly (readonly number[])[])[] {
    return [addresses, ...topics]
      .filter((words) => words.length > 0)
      .map((words) => words.map((word) => this.bitIndexesOf(word)));
  }

  private bitIndexesOf(word: Uint8Array): readonly number[] {
    const text = Buffer.from(word).toString('latin1');
    const known = this.bitIndexes.get(text);
    if (known !== undefined) return known;
    if (this.bitIndexes.size >= WORDS_MAX) this.bitIndexes.clear();
    const bitIndexes = bloomBitIndexes(word);
    this.bitIndexes.set(text, bitIndexes);
    return bitIndexes;
  }

  /** Returns a bit set of the blocks of a section that may match; undefined if all blocks may match. */
  private matching(section: number, conditions: readonly (readonly (readonly number[])[])[]): Uint8Array | undefined {
    let all: Uint8Array | undefined;
    for (const words of conditions) {
      const any = new Uint8Array(ROW_BYTES);
      for (const bitIndexes of words) this.addBlocksOf(section, bitIndexes, any);
      if (all === undefined) all = any;
      else for (let i = 0; i < ROW_BYTES; i++) all[i] = itemAt(all, i) & itemAt(any, i);
      if (all.every((byte) => byte === 0)) break;
    }
    return all;
  }

  private addBlocksOf(section: number, bitIndexes: readonly number[], found: Uint8Array): void {
    const rows: Uint8Array[] = [];
    for (const bitIndex of bitIndexes) {
      const row = this.row(section, bitIndex);
      if (row === undefined) return;
      rows.push(row);
    }
    const [a, b, c] = rows as [Uint8Array, Uint8Array, Uint8Array];
    for (let i = 0; i < ROW_BYTES; i++) found[i] = itemAt(found, i) | (itemAt(a, i) & itemAt(b, i) & itemAt(c, i));
  }

  private row(section: number, bitIndex: number): Uint8Array | undefined {
    const number = section * SECTION_BLOCKS + bitIndex;
    if (this.rows.has(number)) return this.rows.get(number);
    const row = this.database.get(logBlooms.name, bloomKey(section, bitIndex));
    if (this.rows.size >= ROWS_MAX) this.rows.clear();
    this.rows.set(number, row);
    return row;
  }
}
