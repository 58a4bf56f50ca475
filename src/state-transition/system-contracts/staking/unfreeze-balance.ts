import {
  type Account,
  AccountType,
  type TransactionResult,
  type UnfreezeBalanceContract,
} from '../../../codec/generated/messages.js';
import { type Address, isAddress, toAddress } from '../../../primitives/address.js';
import { present } from '../../../primitives/assert.js';
import { toHex } from '../../../primitives/bytes.js';
import { SUN_PER_TRX } from '../../../primitives/units.js';
import { refuse, unchecked } from '../../errors.js';
import { frozenForEnergy, initializeOldTronPower, ResourceCode } from '../../resources/stake.js';
import { withdrawReward } from '../../rewards/rewards.js';
import {
  convertDelegationIndex,
  delegatedBalance,
  delegatedUntil,
  delegationKey,
  isEmptyDelegation,
  setDelegated,
  unindexDelegation,
} from '../../staking/delegation-rows.js';
import { acquired, addDelegated, removeFrozen, setAcquired, stakedTrx } from '../../staking/stake-fields.js';
import { clearVotes } from '../../staking/votes.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { isForReceiver } from './freeze-balance.js';
import { addTotalWeight, requireOwner } from './staking-rules.js';

/** Unfreezes stake 1.0: the owner's own stake, or stake delegated to a receiver. Reference: UnfreezeBalanceActuator. */
export const unfreezeBalance: ContractHandler<UnfreezeBalanceContract> = {
  fee: () => 0n,
  validate,
  execute,
};

const WRONG_RESOURCE = 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]';

function validate(contract: UnfreezeBalanceContract, state: State): void {
  const account = requireOwner(state, contract.ownerAddress, 'does not exist');
  if (isForReceiver(state, contract)) validateDelegated(contract, state);
  else validateOwn(contract.resource, account, state);
}

function validateDelegated({ ownerAddress, receiverAddress, resource }: UnfreezeBalanceContract, state: State): void {
  const { properties } = state;
  if (toHex(receiverAddress) === toHex(ownerAddress)) refuse('receiverAddress must not be the same as ownerAddress');
  if (!isAddress(receiverAddress, state.rules.addressPrefix)) refuse('Invalid receiverAddress');
  const receiver = state.account(toAddress(receiverAddress));
  if (properties.get('ALLOW_TVM_CONSTANTINOPLE') === 0n && receiver === undefined) {
    refuse(`Receiver Account[${toHex(receiverAddress)}] does not exist`);
  }
  const row = state.delegatedResources.get(delegationKey(toAddress(ownerAddress), toAddress(receiverAddress)));
  if (row === undefined) refuse('delegated Resource does not exist');
  if (resource !== ResourceCode.BANDWIDTH && resource !== ResourceCode.ENERGY) refuse(WRONG_RESOURCE);
  const isBandwidth = resource === ResourceCode.BANDWIDTH;
  const delegated = delegatedBalance(row, resource);
  if (delegated <= 0n)
    refuse(isBandwidth ? 'no delegatedFrozenBalance(BANDWIDTH)' : 'no delegateFrozenBalance(Energy)');
  const covered = mustCover(state, receiver)
    ? acquired(present(receiver, 'validation rejects a missing receiver'), resource)
    : delegated;
  if (covered < delegated) {
    const name = isBandwidth ? 'Bandwidth' : 'Energy';
    refuse(`AcquiredDelegatedFrozenBalanceFor${name}[${covered}] < delegated${name}[${delegated}]`);
  }
  // Before the multi-sign proposal, the lock time of bandwidth applied to both resources.
  const timeOf = isBandwidth || properties.get('ALLOW_MULTI_SIGN') === 0n ? ResourceCode.BANDWIDTH : resource;
  if (delegatedUntil(row, timeOf) > properties.get('latest_block_header_timestamp'))
    refuse("It's not time to unfreeze.");
}

/**
 * Returns true if unfreezing must fail when the receiver has less delegated stake than the owner delegated. This is
 * the case for a receiver contract that was destroyed and created again.
 * - Before the Constantinople proposal: true for all receivers.
 * - After it: false for contracts and missing accounts.
 * - After the Solidity 0.5.9 proposal: false for all receivers.
 */
function mustCover({ properties }: State, receiver: Account | undefined): boolean {
  if (properties.get('ALLOW_TVM_CONSTANTINOPLE') === 0n) return true;
  return !properties.isOn('ALLOW_TVM_SOLIDITY_059') && receiver !== undefined && receiver.type !== AccountType.Contract;
}

function validateOwn(resource: number, account: Account, { properties }: State): void {
  const now = properties.get('latest_block_header_timestamp');
  const hasTronPower = properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  if (resource === ResourceCode.BANDWIDTH) {
    if (account.frozen.length === 0) refuse('no frozenBalance(BANDWIDTH)');
    if (!account.frozen.some(({ expireTime }) => expireTime <= now)) refuse("It's not time to unfreeze(BANDWIDTH).");
  } else if (resource === ResourceCode.ENERGY) {
    if (frozenForEnergy(account) <= 0n) refuse('no frozenBalance(Energy)');
    if ((account.accountResource?.frozenBalanceForEnergy?.expireTime ?? 0n) > now)
      refuse("It's not time to unfreeze(Energy).");
  } else if (resource === ResourceCode.TRON_POWER && hasTronPower) {
    if ((account.tronPower?.frozenBalance ?? 0n) <= 0n) refuse('no frozenBalance(TronPower)');
    if ((account.tronPower?.expireTime ?? 0n) > now) refuse("It's not time to unfreeze(TronPower).");
  } else {
    const isOther = resource !== ResourceCode.TRON_POWER && hasTronPower;
    refuse(isOther ? 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy、TRON_POWER]' : WRONG_RESOURCE);
  }
}

function execute(contract: UnfreezeBalanceContract, state: State, result: TransactionResult): void {
  const { properties } = state;
  const { resource } = contract;
  const owner = toAddress(contract.ownerAddress);
  withdrawReward(state, owner);
  const account = state.existingAccountToWrite(owner);
  const hasTronPower = properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  if (hasTronPower && account.oldTronPower === 0n) initializeOldTronPower(account);
  const { unfrozen, decrease } = isForReceiver(state, contract)
    ? unfreezeDelegated(state, account, owner, toAddress(contract.receiverAddress), resource)
    : unfreezeOwn(state, account, resource);
  account.balance += unfrozen;
  addTotalWeight(state, resource, properties.isOn('ALLOW_NEW_REWARD') ? decrease : -unfrozen / SUN_PER_TRX);
  // If votes depend only on stake for TRON power, unfreezing another resource does not change the votes.
  const keepsVotes = hasTronPower && account.oldTronPower === -1n && resource !== ResourceCode.TRON_POWER;
  if (!keepsVotes) clearVotes(state, owner, account);
  if (hasTronPower) account.oldTronPower = -1n;
  state.saveAccount(owner, account);
  result.unfreezeAmount = unfrozen;
}

interface Unfrozen {
  readonly unfrozen: bigint;
  /** Change of the network's stake in whole TRX; 0 or negative. */
  readonly decrease: bigint;
}

function unfreezeOwn(state: State, account: Account, resource: number): Unfrozen {
  const before = stakedTrx(account, resource);
  const unfrozen = removeFrozen(account, resource, state.properties.get('latest_block_header_timestamp'));
  return { unfrozen, decrease: stakedTrx(account, resource) - before };
}

function unfreezeDelegated(
  state: State,
  account: Account,
  owner: Address,
  receiver: Address,
  resource: number,
): Unfrozen {
  const key = delegationKey(owner, receiver);
  const row = state.delegatedResources.existingToWrite(key);
  const unfrozen = delegatedBalance(row, resource);
  setDelegated(row, resource, 0n, 0n);
  addDelegated(account, resource, -unfrozen);
  const decrease = reduceAcquired(state, receiver, resource, unfrozen);
  if (isEmptyDelegation(row)) deleteDelegation(state, owner, receiver, key);
  return { unfrozen, decrease };
}

function reduceAcquired(state: State, receiver: Address, resource: number, sun: bigint): bigint {
  const { properties } = state;
  const found = state.account(receiver);
  const isPlain = found !== undefined && found.type !== AccountType.Contract;
  if (properties.get('ALLOW_TVM_CONSTANTINOPLE') !== 0n && !isPlain) return -sun / SUN_PER_TRX;
  const account = state.accountToWrite(receiver);
  if (account === undefined) throw unchecked('NullPointerException');
  const before = acquired(account, resource);
  const isShort = properties.isOn('ALLOW_TVM_SOLIDITY_059') && before < sun;
  setAcquired(account, resource, isShort ? 0n : before - sun);
  state.saveAccount(receiver, account);
  return acquired(account, resource) / SUN_PER_TRX - (isShort ? sun : before) / SUN_PER_TRX;
}

function deleteDelegation(state: State, owner: Address, receiver: Address, key: string): void {
  state.delegatedResources.delete(key);
  if (state.properties.isOn('ALLOW_DELEGATE_OPTIMIZATION')) {
    convertDelegationIndex(state, owner);
    convertDelegationIndex(state, receiver);
    unindexDelegation(state, 'v1', owner, receiver);
    return;
  }
  const ofOwner = state.delegationIndex.toWrite(owner);
  if (ofOwner !== undefined) ofOwner.toAccounts = withoutFirst(ofOwner.toAccounts, receiver);
  const ofReceiver = state.delegationIndex.toWrite(receiver);
  if (ofReceiver !== undefined) ofReceiver.fromAccounts = withoutFirst(ofReceiver.fromAccounts, owner);
}

function withoutFirst(list: readonly Uint8Array[], address: Address): Uint8Array[] {
  const at = list.findIndex((bytes) => toHex(bytes) === address);
  return list.filter((_, index) => index !== at);
}
