import {
  type AccountPermissionUpdateContract,
  type Permission,
  PermissionPermissionType as Type,
} from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { present } from '../../../primitives/assert.js';
import { toHex } from '../../../primitives/bytes.js';
import { addExact } from '../../../primitives/int64.js';
import { adjustBalance, burn } from '../../balances/balances.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { failWhenShort, refuseOverflow } from '../overflow.js';

/** Replaces the permissions of an account. Reference: AccountPermissionUpdateActuator. */
export const accountPermissionUpdate: ContractHandler<AccountPermissionUpdateContract> = {
  fee: (state) => state.properties.get('UPDATE_ACCOUNT_PERMISSION_FEE'),
  validate,
  execute,
};

const ACTIVES_MAX = 8;
const NAME_LENGTH_MAX = 32;
const OPERATIONS_BYTES = 32;
const TYPE_NAMES = ['Owner', 'Witness', 'Active'];

function validate(contract: AccountPermissionUpdateContract, state: State): void {
  const { ownerAddress, witness, actives } = contract;
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('invalidate ownerAddress');
  const account = state.account(toAddress(ownerAddress)) ?? refuse('ownerAddress account does not exist');
  const owner = contract.owner ?? refuse('owner permission is missed');
  if (account.isWitness && witness === undefined) refuse('witness permission is missed');
  if (!account.isWitness && witness !== undefined) refuse("account isn't witness can't set witness permission");
  if (actives.length === 0) refuse('active permission is missed');
  if (actives.length > ACTIVES_MAX) refuse('active permission is too many');
  if (owner.type !== Type.Owner) refuse('owner permission type is error');
  checkPermission(owner, state);
  if (witness !== undefined) {
    if (witness.type !== Type.Witness) refuse('witness permission type is error');
    checkPermission(witness, state);
  }
  for (const active of actives) {
    if (active.type !== Type.Active) refuse('active permission type is error');
    checkPermission(active, state);
  }
}

function checkPermission(permission: Permission, state: State): void {
  const { keys, type, threshold, permissionName, parentId } = permission;
  const keysMax = state.properties.get('TOTAL_SIGN_NUM');
  if (BigInt(keys.length) > keysMax) refuse(`number of keys in permission should not be greater than ${keysMax}`);
  if (keys.length === 0) refuse("key's count should be greater than 0");
  if (type === Type.Witness && keys.length !== 1) refuse("Witness permission's key count should be 1");
  if (threshold <= 0n) refuse("permission's threshold should be greater than 0");
  if (permissionName.length > NAME_LENGTH_MAX) refuse("permission's name is too long");
  if (parentId !== 0) refuse("permission's parent should be owner");
  checkWeights(permission, state);
  checkOperations(permission, state.properties.bytes('AVAILABLE_CONTRACT_TYPE'));
}

function checkWeights({ keys, type, threshold }: Permission, state: State): void {
  if (new Set(keys.map(({ address }) => toHex(address))).size !== keys.length) {
    refuse(`address should be distinct in permission ${TYPE_NAMES[type]}`);
  }
  let sum = 0n;
  for (const { address, weight } of keys) {
    if (!isAddress(address, state.rules.addressPrefix)) refuse('key is not a validate address');
    if (weight <= 0n) refuse("key's weight should be greater than 0");
    sum = refuseOverflow(() => addExact(sum, weight));
  }
  if (sum < threshold) {
    refuse(`sum of all key's weight should not be less than threshold in permission ${TYPE_NAMES[type]}`);
  }
}

function checkOperations({ operations, type }: Permission, available: Uint8Array): void {
  if (type !== Type.Active) {
    if (operations.length > 0) refuse(`${TYPE_NAMES[type]} permission needn't operations`);
    return;
  }
  if (operations.length !== OPERATIONS_BYTES) refuse('operations size must 32');
  for (let contractType = 0; contractType < OPERATIONS_BYTES * 8; contractType++) {
    if (hasBit(operations, contractType) && !hasBit(available, contractType)) {
      refuse(`${contractType} isn't a validate ContractType`);
    }
  }
}

function hasBit(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
}

function execute(contract: AccountPermissionUpdateContract, state: State): void {
  const owner = toAddress(contract.ownerAddress);
  const account = state.existingAccountToWrite(owner);
  account.ownerPermission = withId(present(contract.owner, 'validation requires an owner permission'), 0);
  if (contract.witness !== undefined) account.witnessPermission = withId(contract.witness, 1);
  account.activePermission = contract.actives.map((active, at) => withId(active, at + 2));
  const fee = state.properties.get('UPDATE_ACCOUNT_PERMISSION_FEE');
  failWhenShort(() => {
    adjustBalance(state, owner, -fee);
    burn(state, fee);
  });
}

function withId(permission: Permission, id: number): Permission {
  return Object.assign(permission.clone(), { id });
}
