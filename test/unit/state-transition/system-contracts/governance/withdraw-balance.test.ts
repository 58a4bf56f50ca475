import t from 'tap';
import { withdrawBalance } from '../../../../../src/state-transition/system-contracts/governance/withdraw-balance.js';
import { committee, NOW, WITNESS } from '../../../../support/vm/committee.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const DAY_MS = 86_400_000n;

function fresh(fields = {}) {
  const state = committee();
  Object.assign(addAccount(state, WITNESS, 5n), { allowance: 7n, latestWithdrawTime: NOW - DAY_MS, ...fields });
  return state;
}

const accepted = { ownerAddress: bytesOf(WITNESS) };

t.test('rejects a withdrawal with the text of the first broken rule', async (t) => {
  const given = (fields: object) => (state: ReturnType<typeof fresh>) => {
    Object.assign(state.account(addressOf(WITNESS)) ?? {}, fields);
  };
  refusalsOf(t, withdrawBalance, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      {
        text: `The last withdraw time is ${NOW - DAY_MS + 1n}, less than 24 hours`,
        given: given({ latestWithdrawTime: NOW - DAY_MS + 1n }),
      },
      { text: 'witnessAccount does not have any reward', given: given({ allowance: 0n }) },
      { text: 'overflow: checkedAdd(9223372036854775807, 7)', given: given({ balance: 2n ** 63n - 1n }) },
    ],
  });
});

t.test('moves the allowance to the balance and starts a new day', async (t) => {
  const state = fresh();
  t.equal(run(withdrawBalance, state, accepted).withdrawAmount, 7n);
  const account = state.account(addressOf(WITNESS));
  t.same([account?.balance, account?.allowance, account?.latestWithdrawTime], [12n, 0n, NOW]);
});
