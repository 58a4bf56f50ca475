import t from 'tap';
import { AccountFrozen } from '../../../../src/codec/generated/messages.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { push, runCode } from '../../../support/vm/run-code.js';
import { addressOf } from '../../../support/vm/state-with.js';
import { ALL_SWITCHES, contractAt } from '../../../support/vm/vm-world.js';

const HEIR = addressOf(0x77);
const SELF = contractAt(0);
const leave = (to: string) => `${push(BigInt(`0x${to.slice(2)}`))}ff`;
const older = ALL_SWITCHES.filter((name) => name !== 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION');

t.test('transfers all assets of a destroyed contract to its beneficiary and deletes it', async (t) => {
  const { state, internal } = runCode(t, leave(HEIR), { switches: older });
  t.equal(state.account(HEIR)?.balance, 5_000_000_000n);
  t.same([state.accounts.has(SELF), state.contracts.has(SELF), state.code.has(SELF)], [false, false, false]);
  t.same(internal, ['suicide']);
});

t.test('transfers assets but keeps an older contract since proposal 94', async (t) => {
  const { state } = runCode(t, leave(HEIR));
  t.equal(state.account(HEIR)?.balance, 5_000_000_000n);
  t.same([state.account(SELF)?.balance, state.contracts.has(SELF)], [0n, true]);
  t.equal(runCode(t, leave(SELF)).state.account(SELF)?.balance, 5_000_000_000n, 'a transfer to itself changes nothing');
});

t.test('rejects self-destruction with delegated or unfreezing stake', async (t) => {
  const delegated = (state: State) => {
    const account = state.account(SELF);
    if (account !== undefined) account.delegatedFrozenV2BalanceForBandwidth = 1n;
  };
  const frozen = (state: State) => {
    const stake = Object.assign(new AccountFrozen(), { frozenBalance: 1n, expireTime: 2n ** 60n });
    state.account(SELF)?.frozen.push(stake);
  };
  const properties = { UNFREEZE_DELAY_DAYS: 14n };
  for (const switches of [older, ALL_SWITCHES]) {
    t.ok(runCode(t, leave(HEIR), { switches, properties, given: delegated }).isRevert);
  }
  t.notOk(
    runCode(t, leave(HEIR), { switches: older, given: frozen }).isRevert,
    'stake 1.0 is transferred to the beneficiary',
  );
  t.ok(runCode(t, leave(HEIR), { given: frozen }).isRevert, 'stake prevents self-destruction since proposal 94');
});
