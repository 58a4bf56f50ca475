import t from 'tap';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { setAccountId } from '../../../../../src/state-transition/system-contracts/accounts/set-account-id.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, OTHER] = [1, 2];

function fresh() {
  const state = stateWith();
  addAccount(state, OWNER);
  addAccount(state, OTHER);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), accountId: utf8('SomeName') };

t.test('rejects an id with the text of the first broken rule', async (t) => {
  refusalsOf(t, setAccountId, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid accountId', fields: { accountId: utf8('seven77') } },
      { text: 'Invalid accountId', fields: { accountId: utf8('a'.repeat(33)) } },
      { text: 'Invalid accountId', fields: { accountId: utf8('with space') } },
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(21) } },
      { text: 'Account has not existed', fields: { ownerAddress: bytesOf(3) } },
      { text: 'This account id already set', given: (state) => void run(setAccountId, state, accepted) },
      {
        text: 'This id has existed',
        given: (state) => {
          run(setAccountId, state, { ownerAddress: bytesOf(OTHER), accountId: utf8('sOMEnAME') });
        },
      },
    ],
  });
});

t.test('stores the id in lower case in the index and unchanged in the account', async (t) => {
  const state = fresh();
  run(setAccountId, state, accepted);
  t.same(state.accountIdIndex.get(toHex(utf8('somename'))), bytesOf(OWNER));
  t.same(state.account(addressOf(OWNER))?.accountId, utf8('SomeName'));
});
