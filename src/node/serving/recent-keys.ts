import { concurrentOrder, javaHashOfRowKey } from '../../java-compat/hash-map.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { addressesIn, governance } from '../../projections/governance.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { RowChange, StateReader } from '../../projections/state/state-reader.js';
import { storeId } from '../../projections/state/stores.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import { readEncodedBlock } from '../../state-transition/block/encoded-block.js';
import { witnessWrites } from './witness-writes.js';

const WITNESSES = storeId('witness');
const SCHEDULE = storeId('witness_schedule');

/** Members of a ledger that this file uses. */
interface RecentBlocks {
  readonly position: Pick<Ledger['position'], 'seq' | 'headNumber' | 'solidifiedNumber'>;
  readonly startNumber: number;
  readonly head: StateReader;
  block(number: number): { readonly seq: number; readonly block: Uint8Array } | undefined;
  changes(seq: number): { readonly rows: readonly RowChange[] } | undefined;
}

interface RecentKeysOptions {
  readonly ledger: RecentBlocks;
  readonly genesisTimeMs: number;
  /** Time between blocks, in ms. */
  readonly slotMs: number;
  /**
   * Returns the height of the newest block that java-tron would have on disk. If it returns undefined, the solidified
   * height is used.
   */
  readonly storedNumber: () => number | undefined;
}

interface RecentBlock {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly rows: readonly RowChange[];
}

/**
 * Keys of the rows that java-tron would have in memory, by store. The rows were written by blocks that java-tron
 * would not have flushed to disk yet. The keys of a block are in the order of its snapshot in java-tron. Caches the
 * result until the chain changes. Reference: HashDB.
 */
export class RecentKeys {
  private readonly options: RecentKeysOptions;
  private seq = -1;
  private stored = -1;
  private readonly ordered = new Map<number, readonly string[]>();

  constructor(options: RecentKeysOptions) {
    this.options = options;
  }

  of(store: number): readonly string[] {
    this.refresh();
    const found = this.ordered.get(store);
    if (found !== undefined) return found;
    const blocks = this.blocks();
    const written = store === WITNESSES ? this.witnesses(blocks) : blocks.map((block) => keysOf(block, store));
    const keys = written.flatMap((ofBlock) => concurrentOrder(ofBlock, javaHashOfRowKey));
    this.ordered.set(store, keys);
    return keys;
  }

  private refresh(): void {
    const { seq } = this.options.ledger.position;
    const stored = this.storedNumber();
    if (seq === this.seq && stored === this.stored) return;
    this.seq = seq;
    this.stored = stored;
    this.ordered.clear();
  }

  /** Returns the blocks that java-tron would not have flushed to disk yet, oldest first. */
  private blocks(): RecentBlock[] {
    const { options, stored } = this;
    const { ledger } = options;
    return Array.from({ length: ledger.position.headNumber - stored }, (_, at) => {
      const number = stored + 1 + at;
      const { seq, block } = present(ledger.block(number), 'the log contains each block up to the head');
      return { number, bytes: block, rows: ledger.changes(seq)?.rows ?? [] };
    });
  }

  private storedNumber(): number {
    const { ledger, storedNumber } = this.options;
    return Math.max(storedNumber() ?? ledger.position.solidifiedNumber, ledger.startNumber);
  }

  /** Returns the keys of the written witness rows: one list per block, oldest block first. */
  private witnesses(blocks: readonly RecentBlock[]): string[][] {
    const { ledger, genesisTimeMs, slotMs } = this.options;
    let after = governance.at(ledger.head).activeWitnesses();
    return blocks
      .toReversed()
      .map(({ number, bytes, rows }) => {
        const schedule = rows.find(({ store }) => store === SCHEDULE);
        const before = schedule === undefined ? after : addressesIn(schedule.before);
        const parent = ledger.block(number - 1);
        const parentMs = parent === undefined ? genesisTimeMs : readEncodedBlock(parent.block).timeMs;
        const firstSlot = Math.trunc((parentMs - genesisTimeMs) / slotMs) + 1;
        const block = decodeBlock(bytes);
        const written = witnessWrites({ block, rows: rows.filter(isOfWitness), before, after, firstSlot });
        after = before;
        return written;
      })
      .reverse();
  }
}

function isOfWitness({ store }: RowChange): boolean {
  return store === WITNESSES;
}

function keysOf({ rows }: RecentBlock, storeNumber: number): string[] {
  return rows.flatMap(({ store, key }) => (store === storeNumber ? [toHex(key)] : []));
}
