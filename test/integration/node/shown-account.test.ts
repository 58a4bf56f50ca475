import t from 'tap';
import { account } from '../../../src/api/operations/accounts.js';
import { TransferContract } from '../../../src/codec/generated/messages.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { present } from '../../../src/primitives/assert.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { PeerNode, type Scope } from '../../support/peers/peer-node.js';
import { byPayer, payer as payerOrNone } from '../../support/peers/transfer.js';
import { silent } from '../../support/projections/chain.js';

const OPTIMIZED = 'committee.allowAssetOptimization = 1';
const payer = present(payerOrNone, 'the recording names rich accounts');
const made = Uint8Array.from([0x41, ...new Array<number>(20).fill(7)]);

async function open(t: Scope) {
  const peer = await PeerNode.open(t, { more: OPTIMIZED });
  const { chain, config } = peer.node;
  const { api } = servedLocally({ chain, config, log: silent, now: Date.now });
  const isShown = (address: Uint8Array) => account(api.view('head'), address)?.assetOptimized;
  await peer.produce(1);
  let amount = 5n;
  /** Adds a pending transaction. Each call adds another one. */
  const send = (): void => {
    const fields = { ownerAddress: payer, toAddress: made, amount: amount++ };
    const value = TransferContract.encode(Object.assign(new TransferContract(), fields));
    chain.mempool.add(decodeTransaction(byPayer(peer, 'TransferContract', value)));
  };
  /** Produces a block from all pending transactions. @returns the number of the block */
  const produce = async (): Promise<number> => {
    const [block] = await peer.produce(1);
    return present(block, 'the slot has a witness').number;
  };
  return { chain, isShown, send, produce };
}

// Found by a comparison with java-tron. In java-tron, an account has the new format (`assetOptimized`) only after it
// was written to disk. In this node, the account has this format from its first write on.
t.test('shows tokens of a new account after java-tron has flushed its block', async (t) => {
  const { chain, isShown, send, produce } = await open(t);
  t.equal(isShown(payer), true, 'an account of genesis');
  t.equal(isShown(made), undefined, 'the account does not exist yet');
  send();
  t.equal(isShown(made), false, 'the transaction is pending');
  const number = await produce();
  for (let turn = 0; chain.storedNumber < number; turn++) {
    t.equal(isShown(made), false, `${turn} blocks above the block of the account`);
    t.ok(turn < 10, 'java-tron flushes blocks above the solidified block');
    await produce();
  }
  t.equal(isShown(made), true);
  t.ok(number <= chain.ledger.position.solidifiedNumber, 'the block is solidified');
  t.equal(isShown(payer), true);
  send();
  t.equal(isShown(made), true, 'the stored row exists already');
  await produce();
  t.equal(isShown(made), true);
});

t.test('shows a repeatedly written account only after its last write is flushed', async (t) => {
  const { chain, isShown, send, produce } = await open(t);
  let written = 0;
  for (let turn = 0; turn < 8; turn++) {
    send();
    t.equal(isShown(made), false, `written ${turn} times`);
    written = await produce();
  }
  chain.rollback(--written);
  while (chain.storedNumber < written) {
    t.equal(isShown(made), false, `written last in block ${written}`);
    await produce();
  }
  t.equal(isShown(made), true);
});
