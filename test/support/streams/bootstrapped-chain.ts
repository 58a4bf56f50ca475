import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Block } from '../../../src/codec/generated/messages.js';
import { seqKey } from '../../../src/log/block-key.js';
import { BlockLog } from '../../../src/log/block-log.js';
import { BASE_FOLDER } from '../../../src/projections/checkpoints/base-rows.js';
import { loadBase } from '../../../src/projections/checkpoints/load-base.js';
import type { LedgerOptions } from '../../../src/projections/ledger/ledger.js';
import { RETAINED, SOLIDIFIED } from '../../../src/projections/ledger/ledger-facts.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import { StateDatabase } from '../../../src/projections/state/state-database.js';
import { blockId, genesis } from '../projections/chain.js';
import { openChain } from './genesis.js';
import { transferBlock } from './transfer-chain.js';

interface BaseOptions extends Partial<LedgerOptions> {
  /** Height of the imported head. Default: 80,000,000. */
  readonly number?: number;
  /** Number of imported blocks, which include the head. Default: 3. */
  readonly blocks?: number;
  /** Number of imported blocks that are not solidified. Default: `blocks - 1`. */
  readonly unsolidified?: number;
  /** Encoded receipts of each imported block. Default: none. */
  readonly results?: Uint8Array;
}

/** Opens a ledger whose log starts at a height, as after `tronicle bootstrap --history none`. Its state is empty. */
export async function openBootstrapped(
  dataDir: string,
  {
    number = 80_000_000,
    blocks = 3,
    unsolidified = blocks - 1,
    results = new Uint8Array(0),
    ...options
  }: BaseOptions = {},
): Promise<WriterLedger> {
  const idOf = (height: number): Uint8Array => (height === 0 ? genesis.id : blockId(height, 'imported'));
  const log = new BlockLog({ dataDir, readOnly: false });
  log.environment.commit(() => {
    log.imported.putId(0, genesis.id);
    const body = { transactionIds: [], block: Block.encode(new Block()), results: new Uint8Array(0) };
    log.imported.putBlock({ ...body, number: 0, id: genesis.id });
    for (let height = number - blocks; height <= number; height++) log.imported.putId(height, idOf(height));
    for (let height = number - blocks + 1; height <= number; height++)
      log.imported.putBlock({ ...body, results, block: transferBlock(height, []), number: height, id: idOf(height) });
  });
  const solidified = { number: number - unsolidified, id: idOf(number - unsolidified) };
  const head = { number, id: idOf(number), digest: new Uint8Array(32).fill(1) };
  log.append({ kind: 'base', ...head, genesisId: genesis.id, source: 'test' });
  log.append({ kind: 'solidified', ...solidified });
  log.facts.set(SOLIDIFIED, Buffer.concat([seqKey(solidified.number), solidified.id]));
  log.facts.set(RETAINED, seqKey(number));
  log.commit();
  await log.close();
  const folder = join(dataDir, BASE_FOLDER);
  mkdirSync(folder, { recursive: true });
  const state = new StateDatabase(dataDir, { readOnly: false });
  loadBase({ folder, state, cursor: { seq: 1, ...head } });
  await state.close();
  return openChain(dataDir, options);
}
