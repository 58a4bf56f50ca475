import t from 'tap';
import { AccountUnFreezeV2 } from '../../../../../src/codec/generated/messages.js';
import { withdrawExpireUnfreeze } from '../../../../../src/state-transition/system-contracts/staking/withdraw-expire-unfreeze.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const NOW = 1000n;
const unfreezing = (unfreezeAmount: bigint, unfreezeExpireTime: bigint) =>
  Object.assign(new AccountUnFreezeV2(), { unfreezeAmount, unfreezeExpireTime });

function fresh() {
  const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n, latest_block_header_timestamp: NOW });
  addAccount(state, OWNER, 1n).unfrozenV2.push(unfreezing(3n, NOW), unfreezing(5n, NOW + 1n), unfreezing(7n, NOW - 1n));
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER) };

t.test('pays expired amounts and keeps the others', async (t) => {
  refusalsOf(t, withdrawExpireUnfreeze, {
    fresh,
    accepted,
    rows: [
      {
        text: 'Not support WithdrawExpireUnfreeze transaction, need to be opened by the committee',
        given: ({ properties }) => properties.set('UNFREEZE_DELAY_DAYS', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      {
        text: 'no unFreeze balance to withdraw ',
        given: ({ properties }) => properties.set('latest_block_header_timestamp', NOW - 2n),
      },
      {
        text: 'overflow: checkedAdd(9223372036854775807, 10)',
        given: (state) => {
          const account = state.account(addressOf(OWNER));
          if (account !== undefined) account.balance = 2n ** 63n - 1n;
        },
      },
    ],
  });
  const state = fresh();
  t.equal(run(withdrawExpireUnfreeze, state, accepted).withdrawExpireAmount, 10n);
  const account = state.account(addressOf(OWNER));
  t.same([account?.balance, account?.unfrozenV2.map(({ unfreezeAmount }) => unfreezeAmount)], [11n, [5n]]);
});
