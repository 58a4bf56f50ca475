import { join } from 'node:path';
import t from 'tap';
import { broadcastTransaction } from '../../../src/api/operations/broadcast.js';
import type { Return } from '../../../src/codec/generated/messages.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { blocksOf } from '../../support/node/recorded-blocks.js';
import { silent } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'off');

/** Broadcasts the first transaction of a recorded chain after its block was applied. */
async function broadcastAgain(t: Parameters<typeof temporaryFolder>[0], remembers: boolean): Promise<Return> {
  const { config: recorded } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const { node } = recorded;
  const config = { ...recorded, node: { ...node, rpc: { ...node.rpc, trxCacheEnable: remembers } } };
  const chain = await openChain({ config, dataDir: temporaryFolder(t), log: silent });
  t.teardown(() => chain.ledger.close());
  const { api, remembered } = servedLocally({ chain, config, log: silent, now: () => 0 });
  for (const block of blocksOf(folder)) {
    chain.importBlock(block);
    const [transaction] = block.transactions;
    if (transaction !== undefined) return broadcastTransaction(api, transaction, remembered);
  }
  throw new Error('the recording has no transaction');
}

// Reference: Manager.updateTransHashCache, which adds the transactions of each applied block.
t.test('remembers the transactions of applied blocks if node.rpc.trxCacheEnable is set', async (t) => {
  for (const [remembers, text] of [
    [true, 'Transaction already exists.'],
    [false, 'Dup transaction.'],
  ] as const) {
    const { message } = await broadcastAgain(t, remembers);
    t.equal(Buffer.from(message).toString(), text);
  }
});
