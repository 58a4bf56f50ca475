import t from 'tap';
import { Witness } from '../../../../src/codec/generated/messages.js';
import { frozenV2 } from '../../../../src/state-transition/resources/stake.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { push, returning, runCode } from '../../../support/vm/run-code.js';
import { addAccount, addressOf, bytesOf } from '../../../support/vm/state-with.js';
import { contractAt } from '../../../support/vm/vm-world.js';

const SELF = contractAt(0);
const TRX = 1_000_000n;
const stakeV2 = { properties: { UNFREEZE_DELAY_DAYS: 14n } };
const word = (fill: number) => push(BigInt(`0x${addressOf(fill).slice(2)}`));
const stake = (state: State, resource: number) => {
  const account = state.account(SELF);
  return account && frozenV2(account, resource);
};

t.test('stakes and unfreezes from a contract and returns the expiration', async (t) => {
  const [FREEZE, UNFREEZE] = ['da', 'db'];
  const v2 = runCode(t, returning(`${push(3n * TRX)}${push(1)}${FREEZE}${push(TRX)}${push(1)}${UNFREEZE}`, 2), stakeV2);
  t.same(
    [v2.words, stake(v2.state, 1), v2.internal],
    [[1n, 1n], 2n * TRX, ['freezeBalanceV2ForEnergy', 'unfreezeBalanceV2ForEnergy']],
  );
  const refused = runCode(t, returning(`${push(1)}${push(1)}${FREEZE}`), stakeV2);
  t.same([refused.words, stake(refused.state, 1)], [[0n], 0n], 'an amount below one TRX');
  const v1 = runCode(
    t,
    returning(
      `${push(BigInt(`0x${SELF.slice(2)}`))}${push(TRX)}${push(0)}d5${push(BigInt(`0x${SELF.slice(2)}`))}${push(0)}d7`,
      2,
    ),
    {
      switches: ['ALLOW_CREATION_OF_CONTRACTS', 'ALLOW_TVM_FREEZE', 'ALLOW_MULTI_SIGN', 'ALLOW_TVM_CONSTANTINOPLE'],
    },
  );
  t.same(v1.words, [1_700_000_000n + 259_200n, 1n], 'the expiration is in three days');
  t.equal(v1.state.account(SELF)?.frozen[0]?.frozenBalance, TRX);
});

t.test('delegates and undelegates a resource from a contract', async (t) => {
  const [DELEGATE, UNDELEGATE] = ['de', 'df'];
  const code = `${push(3n * TRX)}${push(0)}da${word(5)}${push(2n * TRX)}${push(0)}${DELEGATE}${word(5)}${push(TRX)}${push(0)}${UNDELEGATE}`;
  const { words, state } = runCode(t, returning(code, 3), { ...stakeV2, given: (found) => void addAccount(found, 5) });
  t.same(words, [1n, 1n, 1n]);
  t.equal(state.account(addressOf(5))?.acquiredDelegatedFrozenV2BalanceForBandwidth, TRX);
  t.equal(stake(state, 0), 2n * TRX);
});

t.test('votes from a contract with addresses and counts in memory', async (t) => {
  const given = (state: State) => {
    const witness = Object.assign(new Witness(), { address: bytesOf(6) });
    state.witnesses.put(addressOf(6), witness);
    addAccount(state, 6);
  };
  /** Code that writes two arrays to memory in the layout of Solidity: a length, then the words. */
  const arrays = `${push(1)}${push(0)}52${word(6)}${push(32)}52${push(1)}${push(64)}52${push(2)}${push(96)}52`;
  const code = `${push(3n * TRX)}${push(0)}da50${arrays}${push(0)}${push(1)}${push(64)}${push(1)}d8`;
  const { words, state } = runCode(t, returning(code), { ...stakeV2, given });
  t.same(words, [1n]);
  t.same(
    state.account(SELF)?.votes.map(({ voteCount }) => voteCount),
    [2n],
  );
});
