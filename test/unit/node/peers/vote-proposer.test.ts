import t, { type Test } from 'tap';
import type { Chain } from '../../../../src/chain/chain.js';
import type { ChainListener } from '../../../../src/chain/chain-listener.js';
import { PBFTMessageDataType as DataType, SRL, TransactionRet } from '../../../../src/codec/generated/messages.js';
import { VoteProposer } from '../../../../src/node/peers/vote-proposer.js';
import type { Proposal } from '../../../../src/p2p/pbft/vote-counter.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';

const WITNESS = `41${'07'.repeat(20)}`;

/**
 * Returns a chain with only the methods that the proposer uses. It records the proposed votes and their withdrawals.
 */
function world(t: Test) {
  const chain = { nextMs: 1000n, isReorging: false, usesVotes: true };
  const listeners = new Set<ChainListener>();
  const acts: [string, Proposal][] = [];
  const proposer = new VoteProposer({
    chain: {
      listeners,
      state: { properties: { get: () => chain.nextMs } },
      get isReorging() {
        return chain.isReorging;
      },
    } as unknown as Chain,
    local: {
      get usesVotes() {
        return chain.usesVotes;
      },
      votersOf: () => [WITNESS],
    },
    propose: (proposal) => acts.push(['propose', proposal]),
    withdraw: (proposal) => acts.push(['withdraw', proposal]),
  });
  t.teardown(() => proposer.close());
  const apply = (number: number): void => {
    const block = { number, id: Uint8Array.of(number) } as DecodedBlock;
    for (const { applied } of listeners) applied?.(block, new TransactionRet());
  };
  const revert = (): void => {
    for (const { reverted } of listeners) reverted?.({} as DecodedBlock);
  };
  const proposals = (): string[] =>
    acts.splice(0).map(([act, { dataType, viewN, epoch, data }]) => {
      const what = dataType === DataType.BLOCK ? toHex(data) : SRL.decode(data).srAddress.map(toHex).join();
      return `${act} ${viewN} of ${epoch}: ${what}`;
    });
  return { chain, listeners, proposer, apply, revert, takeProposals: proposals };
}

t.test('proposes a block in its epoch, and the next witnesses after a maintenance', async (t: Test) => {
  const { chain, apply, takeProposals: proposals } = world(t);
  apply(2);
  t.same(proposals(), ['propose 2 of 1000: 02']);
  chain.nextMs = 2000n;
  apply(3);
  t.same(proposals(), [`propose 2000 of 2000: ${WITNESS}`, 'propose 3 of 1000: 03']);
  apply(4);
  t.same(proposals(), ['propose 4 of 2000: 04']);
});

t.test('assigns the first block to the epoch that it starts', async (t: Test) => {
  const { chain, apply, takeProposals: proposals } = world(t);
  chain.nextMs = 2000n;
  apply(1);
  t.same(proposals(), ['propose 1 of 2000: 01']);
});

t.test('withdraws proposals and restores the epoch on a reorg', async (t: Test) => {
  const { chain, apply, revert, takeProposals: proposals } = world(t);
  chain.nextMs = 2000n;
  apply(5);
  proposals();
  chain.nextMs = 1000n;
  revert();
  chain.isReorging = true;
  apply(5);
  t.same(proposals(), ['withdraw 5 of 1000: 05'], 'the other branch has no maintenance at this height');
  chain.nextMs = 2000n;
  apply(6);
  t.same(proposals(), [`withdraw 2000 of 2000: ${WITNESS}`, 'withdraw 6 of 1000: 06']);
  chain.isReorging = false;
  apply(7);
  t.same(proposals(), ['propose 7 of 2000: 07']);
});

t.test('follows the epoch without proposals if votes are disabled, and stops when closed', async (t: Test) => {
  const { chain, listeners, proposer, apply, takeProposals: proposals } = world(t);
  chain.usesVotes = false;
  chain.nextMs = 2000n;
  apply(2);
  t.same(proposals(), []);
  chain.usesVotes = true;
  apply(3);
  t.same(proposals(), ['propose 3 of 2000: 03']);
  proposer.close();
  t.equal(listeners.size, 0);
});
