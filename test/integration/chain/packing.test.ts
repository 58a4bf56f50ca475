import t, { type Test } from 'tap';
import { produceBlock } from '../../../src/chain/production/produce-block.js';
import {
  TransactionContractContractType as ContractType,
  type Transaction,
} from '../../../src/codec/generated/messages.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { scheduledWitness, slotTime } from '../../../src/state-transition/consensus/schedule.js';
import { deployBlockHashHistory } from '../../../src/state-transition/state/block-hash-history.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { transfer } from '../../support/peers/transfer.js';

const open = (t: Test, release: string): Promise<PeerNode> =>
  PeerNode.open(t, { more: `tronicle.release = "${release}"` });

/** Adds a pending transaction without verifying it. */
function wait({ node }: PeerNode, message: Transaction): void {
  const transaction = decodeTransaction(message);
  node.chain.mempool.pending.add({ transaction, order: 0n, timeMs: 0, isVerified: true });
}

/** Calls a function each time before packing executes a transaction. */
function onTried({ node }: PeerNode, listener: () => void): void {
  const { mempool } = node.chain;
  const execute = mempool.executeForBlock.bind(mempool);
  mempool.executeForBlock = (item, block) => {
    listener();
    return execute(item, block);
  };
}

t.test('stores the parent id in the history contract while packing', async (t: Test) => {
  const node = await open(t, '4.8.2');
  const { state } = node.node.chain;
  await node.produce(1);
  const idsSeen: string[][] = [];
  const stored = (): string[] => [...state.storage.range()].map(([, value]) => toHex(value));
  onTried(node, () => idsSeen.push(stored()));
  wait(node, transfer(node, 1n));
  node.make();
  t.same(idsSeen, [[]], 'no row before the history contract is deployed');
  deployBlockHashHistory(state);
  wait(node, transfer(node, 2n));
  t.equal(node.make().transactions.length, 1);
  t.same(idsSeen.at(-1), [node.head]);
  t.same(stored(), [], 'packing does not change the state of the head');
});

t.test('does not pack trades with exchange pools under 4.8.2 until proposal 98', async (t: Test) => {
  for (const [release, isVoted, expected] of [
    ['4.7.2', false, 1],
    ['4.8.2', false, 0],
    ['4.8.2', true, 1],
  ] as const) {
    const node = await open(t, release);
    if (isVoted) node.node.chain.state.properties.set('ALLOW_HARDEN_EXCHANGE_CALCULATION', 1n);
    let tried = 0;
    onTried(node, () => tried++);
    const trade = transfer(node, 1n);
    trade.rawData!.contract[0]!.type = ContractType.ExchangeTransactionContract;
    wait(node, trade);
    t.equal(node.make().transactions.length, 0);
    t.equal(tried, expected, `${release}, voted: ${isVoted}`);
    t.equal(node.node.chain.mempool.pending.size, 0, 'the transaction was removed from the mempool');
  }
});

t.test('does not pack transactions that expire before the next slot since proposal 88', async (t: Test) => {
  for (const [isVoted, expected] of [
    [false, 1],
    [true, 0],
  ] as const) {
    const node = await open(t, '4.8.2');
    // Two slots stay empty after the first block, because it is a maintenance block. So the test starts after the
    // second block.
    await node.produce(2);
    const { state } = node.node.chain;
    if (isVoted) state.properties.set('CONSENSUS_LOGIC_OPTIMIZATION', 1n);
    const head = state.properties.get('latest_block_header_timestamp');
    const short = transfer(node, 1n);
    short.rawData!.expiration = head + 2999n;
    wait(node, short);
    t.equal(node.make().transactions.length, expected, `voted: ${isVoted}`);
    const enough = transfer(node, 2n);
    enough.rawData!.expiration = head + 3000n;
    wait(node, enough);
    t.equal(node.make().transactions.length, 1, 'expires at the earliest allowed time');
  }
});

t.test('keeps transactions pending that a block has no time to execute', async (t: Test) => {
  const node = await open(t, '4.7.2');
  await node.produce(1);
  for (let amount = 1n; amount <= 3n; amount++) wait(node, transfer(node, amount));
  let tried = 0;
  onTried(node, () => tried++);
  t.equal(node.make({ isTimeUp: () => tried === 2 }).transactions.length, 2);
  t.equal(node.make().transactions.length, 1, 'the next block contains the third');
});

t.test('signs blocks only with the key of the witness permission', async (t: Test) => {
  const { node } = await open(t, '4.8.2');
  const { chain } = node;
  const produceAs = (slotOfKey: number): unknown => {
    const { headNumber: number, headId: id } = chain.ledger.position;
    return produceBlock(chain.state, chain.mempool, {
      witness: scheduledWitness(chain.state, 1),
      key: node.keys.get(addressBytes(scheduledWitness(chain.state, slotOfKey)))!,
      timeMs: slotTime(chain.state, 1),
      parent: { number, id, stateRoot: () => chain.headStateRoot() },
      isSorted: false,
      isTimeUp: () => false,
    });
  };
  t.equal(produceAs(2), undefined);
  t.ok(produceAs(1));
});
