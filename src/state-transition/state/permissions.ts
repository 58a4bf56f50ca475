import { type Account, Key, Permission, PermissionPermissionType as Type } from '../../codec/generated/messages.js';
import type { State } from './state.js';

/**
 * Returns the default owner permission, for an account that stores no owner permission. Reference:
 * createDefaultOwnerPermission.
 */
export function defaultOwnerPermission(address: Uint8Array): Permission {
  return Object.assign(new Permission(), {
    type: Type.Owner,
    permissionName: 'owner',
    threshold: 1n,
    keys: [keyOf(address)],
  });
}

/**
 * Returns the default active permission, for an account that stores no active permission. Reference:
 * AccountCapsule.createDefaultActivePermission.
 */
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

/** Returns the default witness permission. Reference: AccountCapsule.createDefaultWitnessPermission. */
function defaultWitnessPermission(address: Uint8Array): Permission {
  return Object.assign(new Permission(), {
    type: Type.Witness,
    id: 1,
    permissionName: 'witness',
    threshold: 1n,
    keys: [keyOf(address)],
  });
}

/**
 * Sets the default witness permission. Adds the default owner and active permissions if they are missing. Reference:
 * AccountCapsule.setDefaultWitnessPermission.
 */
export function addDefaultWitnessPermission(account: Account, state: State): void {
  account.ownerPermission ??= defaultOwnerPermission(account.address);
  if (account.activePermission.length === 0) {
    account.activePermission.push(defaultActivePermission(account.address, state));
  }
  account.witnessPermission = defaultWitnessPermission(account.address);
}

/**
 * Returns the permission with an id; undefined if it does not exist. Id 0 always exists: if the account stores no
 * owner permission, returns the default owner permission. Reference: getPermissionById.
 */
export function permissionById(account: Account, id: number): Permission | undefined {
  if (id === 0) return account.ownerPermission ?? defaultOwnerPermission(account.address);
  if (id === 1) return account.witnessPermission;
  return account.activePermission.find((permission) => permission.id === id);
}

/** Returns the address whose key signs the blocks of a witness. Reference: getWitnessPermissionAddress. */
export function witnessKeyAddress(account: Account): Uint8Array {
  return account.witnessPermission?.keys[0]?.address ?? account.address;
}

/** Returns a key of a permission, with weight 1. */
export function keyOf(address: Uint8Array): Key {
  return Object.assign(new Key(), { address, weight: 1n });
}
