import t from 'tap';
import { Block, BlockHeader, BlockHeaderRaw } from '../../../../src/codec/generated/messages.js';
import { RecentKeys } from '../../../../src/node/serving/recent-keys.js';
import { concatBytes, fromHex, utf8 } from '../../../../src/primitives/bytes.js';
import type { RowChange } from '../../../../src/projections/state/state-reader.js';
import { storeId } from '../../../../src/projections/state/stores.js';

const [A, B, C] = ['aa', 'bb', 'cc'].map((byte) => `41${byte.repeat(20)}`) as [string, string, string];
const ACCOUNTS = storeId('account');

interface MadeBlock {
  readonly witness: string;
  readonly rows?: readonly RowChange[];
}

function account(address: string): RowChange {
  return { store: ACCOUNTS, key: fromHex(address), before: utf8('old'), after: utf8('new') };
}

function schedule(before: readonly string[], after: readonly string[]): RowChange {
  const [old, now] = [before, after].map((list) => concatBytes(...list.map(fromHex)));
  return { store: storeId('witness_schedule'), key: utf8('active_witnesses'), before: old, after: now };
}

/**
 * Returns the keys of the producers of a chain without solidified blocks.
 * @param blocks blocks from height 1
 * @param active active witnesses after these blocks
 */
function recentKeys(
  blocks: readonly MadeBlock[],
  storedNumber: number | undefined,
  active: readonly string[] = [],
): RecentKeys {
  const encoded = blocks.map(({ witness }, at) => {
    const rawData = Object.assign(new BlockHeaderRaw(), { number: BigInt(at + 1), witnessAddress: fromHex(witness) });
    return Block.encode(Object.assign(new Block(), { blockHeader: Object.assign(new BlockHeader(), { rawData }) }));
  });
  const ledger = {
    position: { seq: blocks.length, headNumber: blocks.length, solidifiedNumber: 0 },
    startNumber: 0,
    head: { get: () => concatBytes(...active.map(fromHex)), range: () => [] },
    block: (number: number) => {
      const block = encoded[number - 1];
      return block && { seq: number, block };
    },
    changes: (seq: number) => ({ rows: blocks[seq - 1]?.rows ?? [] }),
  };
  return new RecentKeys({ ledger, genesisTimeMs: 0, slotMs: 3000, storedNumber: () => storedNumber });
}

t.test('lists keys of unflushed blocks, block by block', async (t) => {
  const blocks = [A, B, A].map((address) => ({ witness: C, rows: [account(address)] }));
  t.strictSame(recentKeys(blocks, 1).of(ACCOUNTS), [B, A]);
  t.strictSame(recentKeys(blocks, undefined).of(ACCOUNTS), [A, B, A]);
  t.strictSame(recentKeys(blocks, 3).of(ACCOUNTS), []);
});

t.test('lists the active witnesses at the time of each block', async (t) => {
  const blocks = [{ witness: A }, { witness: B, rows: [schedule([A, B], [B, C])] }, { witness: C }];
  const keys = recentKeys(blocks, 0, [B, C]).of(storeId('witness'));
  t.strictSame([keys[0], keys.slice(1, 4).sort(), keys.slice(4)], [A, [A, B, C], [C]]);
});
