import type { UnDelegateResourceContract } from '../../../codec/generated/messages.js';
import { type Address, isAddress, toAddress } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { refuse, unchecked } from '../../errors.js';
import { addFrozenV2, ResourceCode } from '../../resources/stake.js';
import { headSlot, undelegateIncrease, usageOfAccount } from '../../resources/usage.js';
import { takeAcquired } from '../../staking/delegatable-stake.js';
import {
  delegatedBalance,
  delegatedUntil,
  delegationKeyV2,
  isEmptyDelegation,
  setDelegated,
  unindexDelegation,
  unlockExpired,
} from '../../staking/delegation-rows.js';
import { addDelegatedV2, setUsage } from '../../staking/stake-fields.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from './staking-rules.js';

/**
 * Undelegates stake 2.0. A share of the receiver's usage moves back with the stake. Reference:
 * UnDelegateResourceActuator.
 */
export const undelegateResource: ContractHandler<UnDelegateResourceContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate(
  { ownerAddress, receiverAddress, balance, resource }: UnDelegateResourceContract,
  state: State,
): void {
  requireOwner(state, ownerAddress, 'does not exist');
  if (!isAddress(receiverAddress, state.rules.addressPrefix)) refuse('Invalid receiverAddress');
  if (toHex(receiverAddress) === toHex(ownerAddress)) refuse('receiverAddress must not be the same as ownerAddress');
  const [owner, receiver] = [toAddress(ownerAddress), toAddress(receiverAddress)];
  const open = state.delegatedResources.get(delegationKeyV2(owner, receiver, false));
  const locked = state.delegatedResources.get(delegationKeyV2(owner, receiver, true));
  if (open === undefined && locked === undefined) refuse('delegated Resource does not exist');
  if (balance <= 0n) refuse('unDelegateBalance must be more than 0 TRX');
  if (resource !== ResourceCode.BANDWIDTH && resource !== ResourceCode.ENERGY) {
    refuse('ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]');
  }
  const now = state.properties.get('latest_block_header_timestamp');
  let available = open === undefined ? 0n : delegatedBalance(open, resource);
  if (locked !== undefined && delegatedUntil(locked, resource) < now) available += delegatedBalance(locked, resource);
  if (available >= balance) return;
  const name =
    resource === ResourceCode.BANDWIDTH ? 'delegatedFrozenBalance(BANDWIDTH)' : 'delegateFrozenBalance(Energy)';
  refuse(`insufficient ${name}, request=${balance}, unlock_balance=${available}`);
}

function execute({ ownerAddress, receiverAddress, balance, resource }: UnDelegateResourceContract, state: State): void {
  const [owner, receiver] = [toAddress(ownerAddress), toAddress(receiverAddress)];
  const now = headSlot(state);
  const receiving = state.accountToWrite(receiver);
  let usage = 0n;
  if (receiving !== undefined) {
    usage = takeAcquired(state, receiving, { resource, sun: balance, most: mostUsage });
    setUsage(receiving, resource, usageOfAccount(receiving, resource) - usage, now);
    state.saveAccount(receiver, receiving);
  }
  unlockExpired(state, owner, receiver);
  const account = state.existingAccountToWrite(owner);
  addDelegatedV2(account, resource, -balance);
  addFrozenV2(account, resource, balance);
  if (receiving !== undefined && usage > 0n) {
    const sum = undelegateIncrease(state, account, receiving, { transferUsage: usage, resource, now });
    setUsage(account, resource, sum, now);
  }
  reduceLoan(state, owner, receiver, resource, balance);
  state.saveAccount(owner, account);
}

function mostUsage(trx: number, limit: number, weight: number): number {
  return trx * (limit / weight);
}

function reduceLoan(state: State, owner: Address, receiver: Address, resource: number, sun: bigint): void {
  const key = delegationKeyV2(owner, receiver, false);
  const open = state.delegatedResources.toWrite(key);
  if (open === undefined) throw unchecked('NullPointerException');
  setDelegated(open, resource, delegatedBalance(open, resource) - sun, 0n);
  if (!isEmptyDelegation(open)) return;
  state.delegatedResources.delete(key);
  if (!state.delegatedResources.has(delegationKeyV2(owner, receiver, true)))
    unindexDelegation(state, 'v2', owner, receiver);
}
