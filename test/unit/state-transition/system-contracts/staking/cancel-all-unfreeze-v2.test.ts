import t from 'tap';
import { AccountUnFreezeV2 } from '../../../../../src/codec/generated/messages.js';
import { frozenV2, ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { cancelAllUnfreezeV2 } from '../../../../../src/state-transition/system-contracts/staking/cancel-all-unfreeze-v2.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const NOW = 1000n;
const TRX = 1_000_000n;
const unfreezing = (type: number, unfreezeAmount: bigint, unfreezeExpireTime: bigint) =>
  Object.assign(new AccountUnFreezeV2(), { type, unfreezeAmount, unfreezeExpireTime });

function fresh() {
  const state = stateWith({
    UNFREEZE_DELAY_DAYS: 14n,
    ALLOW_CANCEL_ALL_UNFREEZE_V2: 1n,
    latest_block_header_timestamp: NOW,
  });
  addAccount(state, OWNER).unfrozenV2.push(
    unfreezing(ResourceCode.BANDWIDTH, 3n * TRX, NOW + 1n),
    unfreezing(ResourceCode.ENERGY, 2n * TRX, NOW + 1n),
    unfreezing(ResourceCode.ENERGY, TRX, NOW + 2n),
    unfreezing(ResourceCode.ENERGY, 5n * TRX, NOW),
  );
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER) };
const CLOSED = 'Not support CancelAllUnfreezeV2 transaction, need to be opened by the committee';

t.test('stakes pending unfreezes again and pays expired ones', async (t) => {
  refusalsOf(t, cancelAllUnfreezeV2, {
    fresh,
    accepted,
    rows: [
      { text: CLOSED, given: ({ properties }) => properties.set('ALLOW_CANCEL_ALL_UNFREEZE_V2', 0n) },
      { text: CLOSED, given: ({ properties }) => properties.set('UNFREEZE_DELAY_DAYS', 0n) },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'No unfreezeV2 list to cancel', given: (state) => void addAccount(state, OWNER) },
    ],
  });
  const state = fresh();
  const result = run(cancelAllUnfreezeV2, state, accepted);
  t.equal(result.withdrawExpireAmount, 5n * TRX);
  t.same(
    [...result.cancelUnfreezeV2Amount],
    [
      ['ENERGY', 3n * TRX],
      ['TRON_POWER', 0n],
      ['BANDWIDTH', 3n * TRX],
    ],
    'in the order of the hash map of java-tron',
  );
  const account = state.account(addressOf(OWNER));
  t.same([account?.balance, account?.unfrozenV2], [5n * TRX, []]);
  t.equal(account === undefined ? undefined : frozenV2(account, ResourceCode.ENERGY), 3n * TRX);
  t.same([state.properties.get('TOTAL_NET_WEIGHT'), state.properties.get('TOTAL_ENERGY_WEIGHT')], [3n, 3n]);
});
