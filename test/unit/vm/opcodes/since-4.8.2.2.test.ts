import t from 'tap';
import { AccountFreezeV2 } from '../../../../src/codec/generated/messages.js';
import { VERSION } from '../../../../src/state-transition/parameters/block-versions.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { resourceOf } from '../../../../src/state-transition/state/state.js';
import { push, returning, runCode } from '../../../support/vm/run-code.js';
import { contractAt } from '../../../support/vm/vm-world.js';

const TRX = 1_000_000n;
const word = (address: string) => push(BigInt(`0x${address.slice(2)}`));
const [CALLER, CALLED] = [contractAt(0), contractAt(1)];
/** Returns a call of the second contract. The size of its call data selects the action of that contract. */
const call = (bytes: number) =>
  `${push(0)}${push(0)}${push(bytes)}${push(0)}${push(0)}${word(CALLED)}${push(400_000)}f150`;
const destroy = (heir: string) => `${word(heir)}ff`;

const properties = { UNFREEZE_DELAY_DAYS: 14n };
const before = { properties };
const since = { properties, passed: VERSION.V4_8_2_2 };
const ALL_ENERGY = 1_000_000n;

// Reference: StakeV2AfterSelfDestructTest of java-tron 4.8.2.2.
t.test('rejects a self-destructed contract as beneficiary', async (t) => {
  const options = { others: [destroy(CALLED)] };
  const code = call(0) + call(0);
  t.equal(runCode(t, code, { ...before, ...options }).exception, undefined);
  const { exception, energy } = runCode(t, code, { ...since, ...options });
  t.same([exception, energy], ['CPU timeout for SELFDESTRUCT with selfdestructed beneficiary', ALL_ENERGY]);
  t.equal(runCode(t, call(0), { ...since, ...options }).exception, undefined, 'one self-destruction is allowed');
});

t.test('keeps a contract that a failed call destroyed', async (t) => {
  const fails = `${call(0)}${push(0)}${push(0)}fd`;
  const middle = contractAt(2);
  const callMiddle = `${push(0)}${push(0)}${push(0)}${push(0)}${push(0)}${word(middle)}${push(600_000)}f150`;
  const others = [destroy(CALLED), fails];
  t.equal(runCode(t, callMiddle + call(0), { ...since, others }).exception, undefined);
});

t.test('rejects new stake by a self-destructed contract', async (t) => {
  const freeze = `${push(TRX)}${push(1)}da00`;
  // With call data, the contract stakes. Without call data, it destroys itself.
  const others = [`36${push(4 + destroy(CALLED).length / 2)}57${destroy(CALLED)}5b${freeze}`];
  const code = call(0) + call(1);
  t.equal(runCode(t, code, { ...before, others }).exception, undefined);
  const { exception, energy } = runCode(t, code, { ...since, others });
  t.same([exception, energy], ['CPU timeout for FreezeBalanceV2 after SELFDESTRUCT', ALL_ENERGY]);
  t.equal(runCode(t, call(1), { ...since, others }).exception, undefined);
});

function delegatedBelowZero(resource: 0 | 1) {
  return (state: State) => {
    const account = state.account(CALLER);
    if (account === undefined) return;
    account.frozenV2.push(Object.assign(new AccountFreezeV2(), { type: 1, amount: 5n * TRX }));
    if (resource === 0) account.delegatedFrozenV2BalanceForBandwidth = -1n;
    else resourceOf(account).delegatedFrozenV2BalanceForEnergy = -1n;
  };
}

t.test('times out unfreezing, withdrawal and cancellation with negative delegated stake', async (t) => {
  for (const resource of [0, 1] as const) {
    const given = delegatedBelowZero(resource);
    for (const code of [`${push(TRX)}${push(1)}db`, 'dc', 'dd']) {
      t.equal(runCode(t, code, { ...before, given }).exception, undefined, code);
      const { exception, energy } = runCode(t, code, { ...since, given });
      t.same([exception, energy], ['CPU timeout for invalid delegated V2 balance', ALL_ENERGY], code);
    }
    const refused = runCode(t, returning(`${push(50n * TRX)}${push(1)}db`), { ...since, given });
    t.same([refused.exception, refused.words], [undefined, [0n]], 'a rejection for another reason is not a timeout');
  }
});
