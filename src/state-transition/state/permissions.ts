import { type Account, Key, Permission, PermissionPermissionType as Type } from '../../codec/generated/messages.js';
import type { State } from './state.js';

/** Reference: AccountCapsule.createDefaultOwnerPermission. */
export function defaultOwnerPermission(address: Uint8Array): Permission {
  return Object.assign(new Permission(), {
    type: Type.Owner,
    permissionName: 'owner',
    threshold: 1n,
    keys: [keyOf(address)],
  });
}

/** Reference: AccountCapsule.createDefaultActivePermission. */
export function defaultActivePermission(address: Uint8Array, state: State): Permission {
  return Object.assign(new Permission(), {
    type: Type.Active,
    id: 2,
    permissionName: 'active',
    threshold: 1n,
    operations: state.properties.bytes('ACTIVE_DEFAULT_OPERATIONS'),
    keys: [keyOf(address)],
  });
}

/** Reference: AccountCapsule.createDefaultWitnessPermission. */
function defaultWitnessPermission(address: Uint8Array): Permission {
  return Object.assign(new Permission(), {
    type: Type.Witness,
    id: 1,
    permissionName: 'witness',
    threshold: 1n,
    keys: [keyOf(address)],
  });
}

/** Gives a witness account the permissions it lacks. Reference: AccountCapsule.setDefaultWitnessPermission. */
export function addDefaultWitnessPermission(account: Account, state: State): void {
  account.ownerPermission ??= defaultOwnerPermission(account.address);
  if (account.activePermission.length === 0) {
    account.activePermission.push(defaultActivePermission(account.address, state));
  }
  account.witnessPermission = defaultWitnessPermission(account.address);
}

/** Permission of an account by its id; undefined when it has none of that id. Reference: getPermissionById. */
export function permissionById(account: Account, id: number): Permission | undefined {
  if (id === 0) return account.ownerPermission ?? defaultOwnerPermission(account.address);
  if (id === 1) return account.witnessPermission;
  return account.activePermission.find((permission) => permission.id === id);
}

/** Address whose key signs blocks of a witness. Reference: getWitnessPermissionAddress. */
export function witnessKeyAddress(account: Account): Uint8Array {
  return account.witnessPermission?.keys[0]?.address ?? account.address;
}

/** With the weight 1. */
export function keyOf(address: Uint8Array): Key {
  return Object.assign(new Key(), { address, weight: 1n });
}
