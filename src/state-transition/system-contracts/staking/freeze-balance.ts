import {
  AccountType,
  DelegatedResourceAccountIndex,
  type FreezeBalanceContract,
} from '../../../codec/generated/messages.js';
import { type Address, addressBytes, isAddress, toAddress } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { DAY_MS, SUN_PER_TRX } from '../../../primitives/units.js';
import { refuse } from '../../errors.js';
import { initializeOldTronPower, ResourceCode } from '../../resources/stake.js';
import {
  convertDelegationIndex,
  delegatedBalance,
  delegationKey,
  indexDelegation,
  newDelegation,
  setDelegated,
} from '../../staking/delegation-rows.js';
import { acquired, addDelegated, addFrozen, setAcquired, stakedTrx } from '../../staking/stake-fields.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { addTotalWeight, requireOwner } from './staking-rules.js';

/** Freezes TRX as stake 1.0, for the owner or a receiver. Reference: FreezeBalanceActuator. */
export const freezeBalance: ContractHandler<FreezeBalanceContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate(contract: FreezeBalanceContract, state: State): void {
  const { properties, rules } = state;
  const account = requireOwner(state, contract.ownerAddress);
  const { frozenBalance, frozenDuration, resource } = contract;
  if (frozenBalance <= 0n) refuse('frozenBalance must be positive');
  if (frozenBalance < SUN_PER_TRX) refuse(state.rules.release.texts.leastFrozen);
  if (account.frozen.length > 1) refuse('frozenCount must be 0 or 1');
  if (frozenBalance > account.balance) refuse(state.rules.release.texts.mostFrozen);
  const min = properties.get('MIN_FROZEN_TIME');
  const max = properties.get('MAX_FROZEN_TIME');
  if (rules.checkFrozenTime && (frozenDuration < min || frozenDuration > max)) {
    refuse(`frozenDuration must be less than ${max} days and more than ${min} days`);
  }
  checkResource(state, resource, contract.receiverAddress.length > 0);
  if (isForReceiver(state, contract)) checkReceiver(state, contract);
  if (properties.supportsUnfreezeDelay()) refuse('freeze v2 is open, old freeze is closed');
}

function checkResource({ properties }: State, resource: number, hasReceiver: boolean): void {
  if (resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY) return;
  const hasTronPower = properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  if (!hasTronPower) refuse('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]');
  if (resource !== ResourceCode.TRON_POWER)
    refuse('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY、TRON_POWER]');
  if (hasReceiver) refuse('TRON_POWER is not allowed to delegate to other accounts.');
}

function checkReceiver(state: State, { ownerAddress, receiverAddress }: FreezeBalanceContract): void {
  if (toHex(receiverAddress) === toHex(ownerAddress)) refuse('receiverAddress must not be the same as ownerAddress');
  if (!isAddress(receiverAddress, state.rules.addressPrefix)) refuse('Invalid receiverAddress');
  const receiver = state.account(toAddress(receiverAddress)) ?? refuse(`Account[${toHex(receiverAddress)}] not exists`);
  if (state.properties.isOn('ALLOW_TVM_CONSTANTINOPLE') && receiver.type === AccountType.Contract) {
    refuse('Do not allow delegate resources to contract addresses');
  }
}

export function isForReceiver({ properties }: State, { receiverAddress }: { receiverAddress: Uint8Array }): boolean {
  return receiverAddress.length > 0 && properties.isOn('ALLOW_DELEGATE_RESOURCE');
}

function execute(contract: FreezeBalanceContract, state: State): void {
  const { properties } = state;
  const { frozenBalance, resource } = contract;
  const owner = toAddress(contract.ownerAddress);
  const account = state.existingAccountToWrite(owner);
  if (properties.isOn('ALLOW_NEW_RESOURCE_MODEL') && account.oldTronPower === 0n) initializeOldTronPower(account);
  const expiry = properties.get('latest_block_header_timestamp') + contract.frozenDuration * DAY_MS;
  let increase: bigint;
  if (isForReceiver(state, contract) && resource !== ResourceCode.TRON_POWER) {
    increase = delegate(state, {
      owner,
      receiver: toAddress(contract.receiverAddress),
      resource,
      frozenBalance,
      expiry,
    });
    addDelegated(account, resource, frozenBalance);
  } else {
    const before = stakedTrx(account, resource);
    addFrozen(account, resource, frozenBalance, expiry);
    increase = stakedTrx(account, resource) - before;
  }
  addTotalWeight(state, resource, properties.isOn('ALLOW_NEW_REWARD') ? increase : frozenBalance / SUN_PER_TRX);
  account.balance -= frozenBalance;
  state.saveAccount(owner, account);
}

interface StakeDelegation {
  readonly owner: Address;
  readonly receiver: Address;
  readonly resource: number;
  readonly frozenBalance: bigint;
  readonly expiry: bigint;
}

/** Delegates stake 1.0 to a receiver. Returns the increase of the receiver's stake in whole TRX. */
function delegate(state: State, { owner, receiver, resource, frozenBalance, expiry }: StakeDelegation): bigint {
  const key = delegationKey(owner, receiver);
  const row = state.delegatedResources.toWrite(key) ?? newDelegation(owner, receiver);
  setDelegated(row, resource, delegatedBalance(row, resource) + frozenBalance, expiry);
  state.delegatedResources.put(key, row);
  noteLoan(state, owner, receiver);
  const account = state.existingAccountToWrite(receiver);
  const before = acquired(account, resource);
  setAcquired(account, resource, before + frozenBalance);
  state.saveAccount(receiver, account);
  return acquired(account, resource) / SUN_PER_TRX - before / SUN_PER_TRX;
}

function noteLoan(state: State, owner: Address, receiver: Address): void {
  if (state.properties.isOn('ALLOW_DELEGATE_OPTIMIZATION')) {
    convertDelegationIndex(state, owner);
    convertDelegationIndex(state, receiver);
    indexDelegation(state, 'v1', owner, receiver, state.properties.get('latest_block_header_timestamp'));
    return;
  }
  const ofOwner = indexRow(state, owner);
  if (!ofOwner.toAccounts.some((to) => toHex(to) === receiver)) ofOwner.toAccounts.push(addressBytes(receiver));
  const ofReceiver = indexRow(state, receiver);
  if (!ofReceiver.fromAccounts.some((from) => toHex(from) === owner)) ofReceiver.fromAccounts.push(addressBytes(owner));
}

function indexRow(state: State, address: Address): DelegatedResourceAccountIndex {
  const row = state.delegationIndex.toWrite(address);
  if (row !== undefined) return row;
  const fresh = Object.assign(new DelegatedResourceAccountIndex(), { account: addressBytes(address) });
  state.delegationIndex.put(address, fresh);
  return fresh;
}
