import { type Account, AccountType, type DelegateResourceContract } from '../../../codec/generated/messages.js';
import { type Address, isAddress, toAddress } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { wrap64 } from '../../../primitives/int64.js';
import { SUN_PER_TRX } from '../../../primitives/units.js';
import { SLOT_MS } from '../../consensus/schedule.js';
import { refuse } from '../../errors.js';
import { addFrozenV2, ResourceCode } from '../../resources/stake.js';
import { availableStake } from '../../staking/delegatable-stake.js';
import {
  delegatedBalance,
  delegatedUntil,
  delegationKeyV2,
  indexDelegation,
  newDelegation,
  setDelegated,
  unlockExpired,
} from '../../staking/delegation-rows.js';
import { acquiredV2, addDelegatedV2, setAcquiredV2 } from '../../staking/stake-fields.js';
import type { State } from '../../state/state.js';
import type { TransactionContext } from '../../transaction.js';
import type { ContractHandler } from '../contract-handler.js';
import { delegationBytes } from './delegation-bytes.js';
import { DEFAULT_LOCK_BLOCKS, requireOwner } from './staking-rules.js';

/**
 * Delegates bandwidth or energy of stake 2.0 to another account, optionally with a lock period. Reference:
 * DelegateResourceActuator.
 */
export const delegateResource: ContractHandler<DelegateResourceContract> = {
  fee: () => 0n,
  validate,
  execute,
};

const BLOCK_MS = BigInt(SLOT_MS);

function validate(contract: DelegateResourceContract, state: State, { isBeingBuilt }: TransactionContext): void {
  const { resource, balance, lock } = contract;
  const account = requireOwner(state, contract.ownerAddress);
  if (balance < SUN_PER_TRX) refuse(state.rules.release.texts.leastDelegated);
  if (resource !== ResourceCode.BANDWIDTH && resource !== ResourceCode.ENERGY) {
    refuse('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]');
  }
  const extraBytes = isBeingBuilt === true ? delegationBytes(state, account) : 0n;
  if (availableStake(state, account, resource, extraBytes) < balance) {
    const name = resource === ResourceCode.BANDWIDTH ? 'FreezeBandwidthV2' : 'FreezeEnergyV2';
    refuse(state.rules.release.texts.mostDelegated(name));
  }
  const receiver = requireReceiver(state, contract);
  if (lock && supportsLockPeriod(state)) checkLock(state, contract);
  if (receiver.type === AccountType.Contract) refuse('Do not allow delegate resources to contract addresses');
}

function requireReceiver(state: State, { ownerAddress, receiverAddress }: DelegateResourceContract): Account {
  if (!isAddress(receiverAddress, state.rules.addressPrefix)) refuse('Invalid receiverAddress');
  if (toHex(receiverAddress) === toHex(ownerAddress)) refuse('receiverAddress must not be the same as ownerAddress');
  return state.account(toAddress(receiverAddress)) ?? refuse(`Account[${toHex(receiverAddress)}] not exists`);
}

/**
 * Returns true if a delegation may have another lock period than the default. Reference:
 * DynamicPropertiesStore.supportMaxDelegateLockPeriod.
 */
function supportsLockPeriod({ properties }: State): boolean {
  return properties.get('MAX_DELEGATE_LOCK_PERIOD') > DEFAULT_LOCK_BLOCKS && properties.supportsUnfreezeDelay();
}

/**
 * Rejects a lock period that is out of range, or that ends before the current lock of the same resource and receiver.
 */
function checkLock(state: State, contract: DelegateResourceContract): void {
  const { resource } = contract;
  const max = state.properties.get('MAX_DELEGATE_LOCK_PERIOD');
  const period = lockBlocks(contract);
  if (period < 0n || period > max) {
    refuse(`The lock period of delegate resource cannot be less than 0 and cannot exceed ${max}!`);
  }
  const key = delegationKeyV2(toAddress(contract.ownerAddress), toAddress(contract.receiverAddress), true);
  const locked = state.delegatedResources.get(key);
  if (locked === undefined) return;
  const remaining = delegatedUntil(locked, resource) - state.properties.get('latest_block_header_timestamp');
  if (wrap64(period * BLOCK_MS) >= remaining) return;
  const name = resource === ResourceCode.BANDWIDTH ? 'BANDWIDTH' : 'ENERGY';
  const last = `remaining time[${remaining}ms] of the last lock period for ${name}!`;
  refuse(`The lock period for ${name} this time cannot be less than the ${last}`);
}

function lockBlocks({ lockPeriod }: DelegateResourceContract): bigint {
  return lockPeriod === 0n ? DEFAULT_LOCK_BLOCKS : lockPeriod;
}

function execute(contract: DelegateResourceContract, state: State): void {
  const { resource, balance } = contract;
  const owner = toAddress(contract.ownerAddress);
  const receiver = toAddress(contract.receiverAddress);
  delegate(state, owner, receiver, contract);
  const account = state.existingAccountToWrite(owner);
  addDelegatedV2(account, resource, balance);
  addFrozenV2(account, resource, -balance);
  state.saveAccount(owner, account);
}

function delegate(state: State, owner: Address, receiver: Address, contract: DelegateResourceContract): void {
  const { resource, balance, lock } = contract;
  const now = state.properties.get('latest_block_header_timestamp');
  unlockExpired(state, owner, receiver);
  const blocks = supportsLockPeriod(state) ? lockBlocks(contract) : DEFAULT_LOCK_BLOCKS;
  const key = delegationKeyV2(owner, receiver, lock);
  const row = state.delegatedResources.toWrite(key) ?? newDelegation(owner, receiver);
  setDelegated(row, resource, delegatedBalance(row, resource) + balance, lock ? now + blocks * BLOCK_MS : 0n);
  state.delegatedResources.put(key, row);
  indexDelegation(state, 'v2', owner, receiver, now);
  const account = state.existingAccountToWrite(receiver);
  setAcquiredV2(account, resource, acquiredV2(account, resource) + balance);
  state.saveAccount(receiver, account);
}
