import t from 'tap';
import { release482 } from '../../../../../src/state-transition/releases/release-4.8.2.js';
import { frozenV2, ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { freezeBalanceV2 } from '../../../../../src/state-transition/system-contracts/staking/freeze-balance-v2.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, refusal, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const TRX = 1_000_000n;

function fresh(release?: typeof release482) {
  const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n }, release);
  addAccount(state, OWNER, 5n * TRX);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), frozenBalance: 5n * TRX };
const newModel = ({ properties }: ReturnType<typeof fresh>) => properties.set('ALLOW_NEW_RESOURCE_MODEL', 1n);

t.test('rejects stake 2.0 with the text of the first broken rule', async (t) => {
  refusalsOf(t, freezeBalanceV2, {
    fresh: () => fresh(),
    accepted,
    rows: [
      {
        text: 'Not support FreezeV2 transaction, need to be opened by the committee',
        given: ({ properties }) => properties.set('UNFREEZE_DELAY_DAYS', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'frozenBalance must be positive', fields: { frozenBalance: -1n } },
      { text: 'frozenBalance must be more than 1TRX', fields: { frozenBalance: TRX - 1n } },
      { text: 'frozenBalance must be less than accountBalance', fields: { frozenBalance: 5n * TRX + 1n } },
      {
        text: 'ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]',
        fields: { resource: ResourceCode.TRON_POWER },
      },
      { text: undefined, fields: { resource: ResourceCode.TRON_POWER }, given: newModel },
      {
        text: 'ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY、TRON_POWER]',
        fields: { resource: 3 },
        given: newModel,
      },
    ],
  });
});

t.test('uses the error texts of the release', async (t) => {
  const text = (frozenBalance: bigint) =>
    refusal(freezeBalanceV2, fresh(release482), { ...accepted, frozenBalance })?.text;
  t.equal(text(TRX - 1n), 'frozenBalance must be greater than or equal to 1 TRX');
  t.equal(text(5n * TRX + 1n), 'frozenBalance must be less than or equal to accountBalance');
});

t.test('rounds the total stake, not the added amount, to whole TRX for the network weight', async (t) => {
  const state = fresh();
  run(freezeBalanceV2, state, { ...accepted, frozenBalance: TRX + 600_000n });
  run(freezeBalanceV2, state, { ...accepted, frozenBalance: TRX + 400_000n });
  const account = state.account(addressOf(OWNER));
  t.equal(account === undefined ? undefined : frozenV2(account, ResourceCode.BANDWIDTH), 3n * TRX);
  t.same([account?.balance, state.properties.get('TOTAL_NET_WEIGHT')], [2n * TRX, 3n]);
});
