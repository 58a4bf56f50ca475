import t from 'tap';
import { account } from '../../../src/api/operations/accounts.js';
import { TransferContract } from '../../../src/codec/generated/messages.js';
import { present } from '../../../src/domain/assert.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { decodeTransaction } from '../../../src/vm/transactions/decode-transaction.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { byPayer, payer as payerOrNone } from '../../support/peers/transfer.js';
import { silent } from '../../support/projections/chain.js';

const OPTIMIZED = 'committee.allowAssetOptimization = 1';
const payer = present(payerOrNone, 'the recording names rich accounts');
const made = Uint8Array.from([0x41, ...new Array<number>(20).fill(7)]);

// Found beside java-tron: its rows say so only when they have been written to its disk, ours do from the first write on.
t.test('a new account is shown with its tokens beside it when it is irreversible', async (t) => {
  const peer = await PeerNode.open(t, { more: OPTIMIZED });
  const { chain, config } = peer.node;
  const { api } = servedLocally({ chain, config, log: silent, now: Date.now });
  const isShown = (address: Uint8Array) => account(api.view('head'), address)?.assetOptimized;
  await peer.produce(1);
  t.equal(isShown(payer), true, 'one of genesis');
  t.equal(isShown(made), undefined, 'nobody yet');
  const fields = { ownerAddress: payer, toAddress: made, amount: 5n };
  const value = TransferContract.encode(Object.assign(new TransferContract(), fields));
  chain.pool.push(decodeTransaction(byPayer(peer, 'TransferContract', value)));
  t.equal(isShown(made), false, 'it waits');
  const [block] = await peer.produce(1);
  t.equal(block?.transactions.length, 1);
  for (let turn = 0; chain.ledger.position.solidifiedNumber < (block?.number ?? 0); turn++) {
    t.equal(isShown(made), false, `${turn} blocks above it`);
    t.ok(turn < 10, 'blocks become irreversible');
    await peer.produce(1);
  }
  t.equal(isShown(made), true);
  t.equal(isShown(payer), true);
});
