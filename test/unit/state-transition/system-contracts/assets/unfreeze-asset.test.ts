import t from 'tap';
import { AccountFrozen } from '../../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import { unfreezeAsset } from '../../../../../src/state-transition/system-contracts/assets/unfreeze-asset.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const ID = '1000001';
const part = (frozenBalance: bigint, expireTime: bigint) =>
  Object.assign(new AccountFrozen(), { frozenBalance, expireTime });

function fresh() {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n, latest_block_header_timestamp: 100n });
  const issued = { assetIssuedID: utf8(ID), frozenSupply: [part(3n, 100n), part(5n, 101n), part(7n, 99n)] };
  Object.assign(addAccount(state, OWNER, 0n, { [ID]: 1n }), issued);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER) };

t.test('keeps frozen supply if a rule is broken', async (t) => {
  refusalsOf(t, unfreezeAsset, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(0) } },
      { text: `Account[${addressOf(9)}] does not exist`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'no frozen supply balance', given: (state) => void addAccount(state, OWNER) },
      {
        text: 'this account has not issued any asset',
        given: (state) => void addAccount(state, OWNER).frozenSupply.push(part(1n, 1n)),
      },
      {
        text: "It's not time to unfreeze asset supply",
        given: ({ properties }) => properties.set('latest_block_header_timestamp', 98n),
      },
    ],
  });
});

t.test('returns expired parts and keeps the others', async (t) => {
  const state = fresh();
  run(unfreezeAsset, state, accepted);
  const account = state.account(addressOf(OWNER));
  t.equal(account?.assetV2.get(ID), 11n);
  t.same(
    account?.frozenSupply.map(({ frozenBalance }) => frozenBalance),
    [5n],
  );
});
