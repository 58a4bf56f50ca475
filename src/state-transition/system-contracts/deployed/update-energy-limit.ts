import type { UpdateEnergyLimitContract } from '../../../codec/generated/messages.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from '../staking/staking-rules.js';
import { contractToWrite, requireDeployer } from './smart-contract-owner.js';

/**
 * Sets the maximum energy that the deployer pays per call of a contract. Reference:
 * UpdateEnergyLimitContractActuator.
 */
export const updateEnergyLimit: ContractHandler<UpdateEnergyLimitContract> = {
  fee: () => 0n,
  validate,
  execute: (contract, state) => {
    contractToWrite(state, contract).originEnergyLimit = contract.originEnergyLimit;
  },
};

function validate(contract: UpdateEnergyLimitContract, state: State): void {
  requireOwner(state, contract.ownerAddress, 'does not exist');
  if (contract.originEnergyLimit <= 0n) refuse('origin energy limit must be > 0');
  requireDeployer(state, contract);
}
