import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireEmpty } from '../../files/new-file.js';
import { BYTE_ORDER } from '../../java-tron-data/java-store.js';
import { StoreWriter } from '../../java-tron-data/store-writer.js';
import { seqKey } from '../../log/block-key.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import type { Genesis, Ledger } from '../../projections/ledger/ledger.js';
import { javaStoreIds, storeName } from '../../projections/state/stores.js';
import { RECENT_BLOCKS } from './import-blocks.js';
import { storeOrders } from './store-orders.js';

/**
 * Writes a data folder that java-tron can open and continue from: the state rows of the head, and the blocks among the
 * last 65,536 that the log contains.
 * @param folder empty or not existing; the stores are written to its subfolder `database`
 * @throws {UsageError} the folder is not empty
 */
export function exportJava(ledger: Ledger, folder: string, genesis: Genesis): void {
  requireEmpty(folder, DRAFT);
  const stores = join(folder, DRAFT);
  rmSync(stores, { recursive: true, force: true });
  mkdirSync(stores, { recursive: true });
  try {
    writeStores(ledger, stores, genesis);
    renameSync(stores, join(folder, 'database'));
  } catch (error) {
    rmSync(stores, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Folder name of the stores while they are incomplete. java-tron would continue from incomplete stores without an
 * error.
 */
const DRAFT = 'database.part';

function writeStores(ledger: Ledger, stores: string, genesis: Genesis): void {
  for (const store of javaStoreIds) {
    const name = storeName(store);
    const writer = new StoreWriter(join(stores, name), (storeOrders.get(name) ?? BYTE_ORDER).comparator);
    for (const { key, value } of ledger.head.range(store)) writer.add(Buffer.from(key), Buffer.from(value));
    writer.finish();
  }
  writeBlocks(ledger, stores, genesis);
}

function writeBlocks(ledger: Ledger, stores: string, genesis: Genesis): void {
  const open = (name: string): StoreWriter => new StoreWriter(join(stores, name), BYTE_ORDER.comparator);
  const { headNumber } = ledger.position;
  const lowest = Math.max(1, headNumber - RECENT_BLOCKS + 1);
  const [blocks, index, results] = [open('block'), open('block-index'), open('transactionRetStore')];
  // java-tron starts a new chain if its block store has no genesis block.
  blocks.add(genesis.id, genesis.blockBytes);
  index.add(seqKey(0), genesis.id);
  const transactions = new Map<string, number>();
  const recent = new Map<number, { readonly id: Uint8Array; readonly num: number; readonly ids: readonly string[] }>();
  recent.set(0, { id: genesis.id, num: 0, ids: [] });
  for (let number = lowest; number <= headNumber; number++) {
    const id = ledger.recentBlockId(number & 0xffff);
    if (id === undefined) continue;
    const block = ledger.block(number);
    const ids = (block?.transactionIds ?? []).map(toHex);
    recent.set(number & 0xffff, { id, num: number, ids });
    if (block === undefined) continue;
    for (const hex of ids) transactions.set(hex, number);
    blocks.add(block.id, block.block);
    index.add(seqKey(number), block.id);
    if (block.results.length > 0) results.add(seqKey(number), block.results);
  }
  for (const writer of [blocks, index, results]) writer.finish();
  writeRecent(open, recent);
  writeTransactions(open('trans'), transactions);
}

/**
 * Writes the stores `recent-block` and `recent-transaction`. Their keys are the low 16 bits of the height. Reference:
 * RecentBlockStore, RecentTransactionStore.
 */
function writeRecent(
  open: (name: string) => StoreWriter,
  recent: ReadonlyMap<number, { readonly id: Uint8Array; readonly num: number; readonly ids: readonly string[] }>,
): void {
  const [hashes, ids] = [open('recent-block'), open('recent-transaction')];
  for (const [low, block] of [...recent].sort(([a], [b]) => a - b)) {
    const key = Buffer.from([low >> 8, low & 0xff]);
    hashes.add(key, block.id.subarray(8, 16));
    if (block.num > 0) ids.add(key, Buffer.from(JSON.stringify({ num: block.num, transactionIds: block.ids })));
  }
  hashes.finish();
  ids.finish();
}

/** Writes the store that maps a transaction id to the height of its block. Reference: TransactionStore. */
function writeTransactions(writer: StoreWriter, transactions: ReadonlyMap<string, number>): void {
  for (const hex of [...transactions.keys()].sort())
    writer.add(Buffer.from(hex, 'hex'), seqKey(present(transactions.get(hex), 'the keys come from this map')));
  writer.finish();
}
