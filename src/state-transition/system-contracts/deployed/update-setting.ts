import type { UpdateSettingContract } from '../../../codec/generated/messages.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from '../staking/staking-rules.js';
import { contractToWrite, requireDeployer } from './smart-contract-owner.js';

/** Sets the percentage of energy that a smart contract's callers pay. Reference: UpdateSettingContractActuator. */
export const updateSetting: ContractHandler<UpdateSettingContract> = {
  fee: () => 0n,
  validate,
  execute: (contract, state) => {
    contractToWrite(state, contract).consumeUserResourcePercent = contract.consumeUserResourcePercent;
  },
};

function validate(contract: UpdateSettingContract, state: State): void {
  requireOwner(state, contract.ownerAddress, 'does not exist');
  const percent = contract.consumeUserResourcePercent;
  if (percent > 100n || percent < 0n) refuse('percent not in [0, 100]');
  requireDeployer(state, contract);
}
