import t from 'tap';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { accountUpdate } from '../../../../../src/state-transition/system-contracts/accounts/account-update.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, refusal, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, OTHER] = [1, 2];

function fresh() {
  const state = stateWith();
  addAccount(state, OWNER);
  addAccount(state, OTHER);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), accountName: utf8('name') };

t.test('rejects a name with the text of the first broken rule', async (t) => {
  refusalsOf(t, accountUpdate, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid accountName', fields: { accountName: new Uint8Array(201) } },
      { text: undefined, fields: { accountName: new Uint8Array(200) } },
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(1) } },
      { text: 'Account does not exist', fields: { ownerAddress: bytesOf(3) } },
    ],
  });
});

t.test('sets a unique name once, until name updates are allowed', async (t) => {
  const state = fresh();
  run(accountUpdate, state, accepted);
  t.same(state.account(addressOf(OWNER))?.accountName, utf8('name'));
  t.same(state.accountIndex.get(toHex(utf8('name'))), bytesOf(OWNER));
  t.equal(refusal(accountUpdate, state, accepted)?.text, 'This account name is already existed');
  const nameInUse = { ...accepted, ownerAddress: bytesOf(OTHER) };
  t.equal(refusal(accountUpdate, state, nameInUse)?.text, 'This name is existed');
  state.properties.set('ALLOW_UPDATE_ACCOUNT_NAME', 1n);
  t.equal(refusal(accountUpdate, state, nameInUse), undefined);
  t.same(
    state.accountIndex.get(toHex(utf8('name'))),
    bytesOf(OTHER),
    'the name refers to the last account that set it',
  );
});
