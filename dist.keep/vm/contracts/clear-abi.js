import { ClearABIContract, SmartContractABI } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { refuse } from '../errors.js';
import { requireDeployer } from './smart-contract-owner.js';
import { requireOwner } from './staking-rules.js';
/** Empties the ABI of a smart contract. Reference: ClearABIContractActuator. */
export const clearAbi = {
    type: 48,
    message: ClearABIContract,
    owner: ({ ownerAddress }) => ownerAddress,
    fee: () => 0n,
    validate,
    execute: ({ contractAddress }, state) => {
        state.abis.put(toAddress(contractAddress), new SmartContractABI());
    },
};
function validate(contract, state) {
    if (state.properties.get('ALLOW_TVM_CONSTANTINOPLE') === 0n) {
        refuse('contract type error,unexpected type [ClearABIContract]');
    }
    requireOwner(state, contract.ownerAddress);
    requireDeployer(state, contract, 'Contract not exists');
}
//# sourceMappingURL=clear-abi.js.map