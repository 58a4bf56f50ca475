import t from 'tap';
import { Account } from '../../../../src/codec/generated/messages.js';
import {
  addDefaultWitnessPermission,
  defaultActivePermission,
  defaultOwnerPermission,
  keyOf,
  permissionById,
  witnessKeyAddress,
} from '../../../../src/state-transition/state/permissions.js';
import { addAccount, bytesOf, stateWith } from '../../../support/vm/state-with.js';

t.test("returns the account's own key as default permissions", async (t) => {
  const state = stateWith();
  const owner = defaultOwnerPermission(bytesOf(1));
  const active = defaultActivePermission(bytesOf(1), state);
  for (const { threshold, keys } of [owner, active]) t.same([threshold, keys], [1n, [keyOf(bytesOf(1))]]);
  t.same([owner.id, owner.permissionName, active.id, active.permissionName], [0, 'owner', 2, 'active']);
  t.same(active.operations, state.properties.bytes('ACTIVE_DEFAULT_OPERATIONS'));
});

t.test('finds a permission by id, and always an owner permission', async (t) => {
  const state = stateWith();
  const account = addAccount(state, 1);
  t.same(permissionById(account, 0), defaultOwnerPermission(bytesOf(1)));
  t.same([permissionById(account, 1), permissionById(account, 2)], [undefined, undefined]);
  addDefaultWitnessPermission(account, state);
  t.same(
    [permissionById(account, 1)?.permissionName, permissionById(account, 2)?.permissionName],
    ['witness', 'active'],
  );
  t.equal(permissionById(account, 0), account.ownerPermission);
});

t.test('signs for a witness with its permission key, or its own', async (t) => {
  const account = Object.assign(new Account(), { address: bytesOf(1) });
  t.same(witnessKeyAddress(account), bytesOf(1));
  addDefaultWitnessPermission(account, stateWith());
  account.witnessPermission?.keys.splice(0, 1, keyOf(bytesOf(9)));
  t.same(witnessKeyAddress(account), bytesOf(9));
});
