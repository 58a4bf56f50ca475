import t from 'tap';
import type { MempoolListener } from '../../../src/chain/mempool.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { transfer } from '../../support/peers/transfer.js';

t.test('executes the other pending transactions after one has failed with an unexpected error', async (t) => {
  const peer = await PeerNode.open(t);
  await peer.produce(2);
  const { mempool } = peer.node.chain;
  const amounts = [1n, 2n, 3n];
  const added = amounts.map((amount) => mempool.add(decodeTransaction(transfer(peer, amount))).idHex);
  mempool.resetToHead();
  mempool.demotePending();
  let count = 0;
  mempool.observer = {
    refused: () => undefined,
    timedOut: () => undefined,
    executed: () => {
      if (++count === 2) throw new Error('the disk failed');
    },
  };
  let changes = 0;
  mempool.listeners.add({ admitted: () => undefined, changed: () => changes++ });
  t.throws(() => mempool.reinject(), { message: 'the disk failed' });
  t.same(
    mempool.pending.values().map(({ transaction }) => transaction.idHex),
    [added[0], added[2]],
  );
  t.equal(mempool.repush.size, 0);
  t.equal(changes, 2, 'the first transaction and the end of the queue are reported');
});

t.test('keeps a transaction with its effects after a listener has failed', async (t) => {
  const peer = await PeerNode.open(t);
  await peer.produce(2);
  const { mempool } = peer.node.chain;
  const listener: MempoolListener = {
    admitted: () => {
      throw new Error('the listener failed');
    },
    changed: () => undefined,
  };
  mempool.listeners.add(listener);
  t.throws(() => mempool.add(decodeTransaction(transfer(peer, 1n))), { message: 'the listener failed' });
  t.equal(mempool.pending.size, 1);
  t.ok(mempool.effects().length > 0);
});
