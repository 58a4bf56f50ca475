import { type ClearABIContract, SmartContractABI } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from '../staking/staking-rules.js';
import { requireDeployer } from './smart-contract-owner.js';

/** Replaces the ABI of a smart contract by an empty ABI. Reference: ClearABIContractActuator. */
export const clearAbi: ContractHandler<ClearABIContract> = {
  fee: () => 0n,
  validate,
  execute: ({ contractAddress }, state) => {
    state.abis.put(toAddress(contractAddress), new SmartContractABI());
  },
};

function validate(contract: ClearABIContract, state: State): void {
  requireOwner(state, contract.ownerAddress);
  requireDeployer(state, contract, 'Contract not exists');
}
