import type { FreezeBalanceV2Contract } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { SUN_PER_TRX } from '../../../primitives/units.js';
import { refuse } from '../../errors.js';
import { addFrozenV2, initializeOldTronPower, ResourceCode } from '../../resources/stake.js';
import { stakedTrxV2 } from '../../staking/stake-fields.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { addTotalWeight, requireOwner } from './staking-rules.js';

/** Freezes TRX for one resource as stake 2.0, which has no end time. Reference: FreezeBalanceV2Actuator. */
export const freezeBalanceV2: ContractHandler<FreezeBalanceV2Contract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress, frozenBalance, resource }: FreezeBalanceV2Contract, state: State): void {
  const account = requireOwner(state, ownerAddress);
  if (frozenBalance <= 0n) refuse('frozenBalance must be positive');
  if (frozenBalance < SUN_PER_TRX) refuse(state.rules.release.texts.leastFrozen);
  if (frozenBalance > account.balance) refuse(state.rules.release.texts.mostFrozen);
  if (resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY) return;
  if (!state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL'))
    refuse('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]');
  if (resource !== ResourceCode.TRON_POWER)
    refuse('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY、TRON_POWER]');
}

function execute({ ownerAddress, frozenBalance, resource }: FreezeBalanceV2Contract, state: State): void {
  const owner = toAddress(ownerAddress);
  const account = state.existingAccountToWrite(owner);
  if (state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL') && account.oldTronPower === 0n) initializeOldTronPower(account);
  const before = stakedTrxV2(account, resource);
  addFrozenV2(account, resource, frozenBalance);
  addTotalWeight(state, resource, stakedTrxV2(account, resource) - before);
  account.balance -= frozenBalance;
  state.saveAccount(owner, account);
}
