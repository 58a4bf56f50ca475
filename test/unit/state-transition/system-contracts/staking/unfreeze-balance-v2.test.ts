import t from 'tap';
import { AccountUnFreezeV2, Vote } from '../../../../../src/codec/generated/messages.js';
import { addFrozenV2, frozenV2, ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { unfreezeBalanceV2 } from '../../../../../src/state-transition/system-contracts/staking/unfreeze-balance-v2.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const TRX = 1_000_000n;
const NOW = 1000n;
const unfreezing = (unfreezeAmount: bigint, unfreezeExpireTime: bigint) =>
  Object.assign(new AccountUnFreezeV2(), { unfreezeAmount, unfreezeExpireTime });

function fresh() {
  const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n, latest_block_header_timestamp: NOW, TOTAL_NET_WEIGHT: 10n });
  addFrozenV2(addAccount(state, OWNER), ResourceCode.BANDWIDTH, 10n * TRX);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), unfreezeBalance: 10n * TRX };
const newModel = ({ properties }: ReturnType<typeof fresh>) => properties.set('ALLOW_NEW_RESOURCE_MODEL', 1n);

t.test('rejects unfreezing stake 2.0 with the text of the first broken rule', async (t) => {
  const list = (state: ReturnType<typeof fresh>, count: number, until: bigint) => {
    const account = state.account(addressOf(OWNER));
    for (let i = 0; i < count; i++) account?.unfrozenV2.push(unfreezing(1n, until));
  };
  refusalsOf(t, unfreezeBalanceV2, {
    fresh,
    accepted,
    rows: [
      {
        text: 'Not support UnfreezeV2 transaction, need to be opened by the committee',
        given: ({ properties }) => properties.set('UNFREEZE_DELAY_DAYS', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] does not exist`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]', fields: { resource: 2 } },
      {
        text: 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy、TRON_POWER]',
        fields: { resource: 3 },
        given: newModel,
      },
      { text: 'no frozenBalance(TronPower)', fields: { resource: 2 }, given: newModel },
      { text: 'no frozenBalance(Energy)', fields: { resource: ResourceCode.ENERGY } },
      { text: 'Invalid unfreeze_balance, [0] is error', fields: { unfreezeBalance: 0n } },
      { text: 'Invalid unfreeze_balance, [10000001] is error', fields: { unfreezeBalance: 10n * TRX + 1n } },
      {
        text: 'Invalid unfreeze operation, unfreezing times is over limit',
        given: (state) => list(state, 32, NOW + 1n),
      },
      { text: undefined, given: (state) => list(state, 31, NOW + 1n) },
      { text: undefined, given: (state) => list(state, 32, NOW) },
    ],
  });
});

t.test('queues unfrozen stake and pays expired amounts', async (t) => {
  const state = fresh();
  state.account(addressOf(OWNER))?.unfrozenV2.push(unfreezing(7n, NOW), unfreezing(9n, NOW + 1n));
  t.equal(run(unfreezeBalanceV2, state, { ...accepted, unfreezeBalance: 4n * TRX }).withdrawExpireAmount, 7n);
  const account = state.account(addressOf(OWNER));
  t.equal(account?.balance, 7n);
  t.same(
    account?.unfrozenV2.map(({ unfreezeAmount, unfreezeExpireTime }) => [unfreezeAmount, unfreezeExpireTime]),
    [
      [9n, NOW + 1n],
      [4n * TRX, NOW + 14n * 86_400_000n],
    ],
  );
  t.equal(account === undefined ? undefined : frozenV2(account, ResourceCode.BANDWIDTH), 6n * TRX);
  t.equal(state.properties.get('TOTAL_NET_WEIGHT'), 6n);
});

t.test('reduces votes in proportion to the remaining stake', async (t) => {
  const state = fresh();
  const votes = [6n, 4n].map((voteCount, at) => Object.assign(new Vote(), { voteAddress: bytesOf(at + 5), voteCount }));
  state.account(addressOf(OWNER))?.votes.push(...votes);
  run(unfreezeBalanceV2, state, { ...accepted, unfreezeBalance: 5n * TRX });
  t.same(
    state.account(addressOf(OWNER))?.votes.map(({ voteCount }) => voteCount),
    [3n, 2n],
  );
});
