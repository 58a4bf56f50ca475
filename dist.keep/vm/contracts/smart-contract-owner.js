import { toAddress } from '../../log/domain/address.js';
import { equalBytes } from '../../log/domain/bytes.js';
import { refuse } from '../errors.js';
/** Refuses everybody but the account that deployed a smart contract. @throws {ContractValidateError} */
export function requireDeployer(state, { ownerAddress, contractAddress }, missing = 'Contract does not exist') {
    const contract = state.contracts.get(toAddress(contractAddress)) ?? refuse(missing);
    if (equalBytes(ownerAddress, contract.originAddress))
        return;
    refuse(`Account[${toAddress(ownerAddress)}] is not the owner of the contract`);
}
/** A smart contract's row for changing. The reference drops an ABI that an old row still carries. Reference: ContractStore.put */
export function contractToWrite(state, { contractAddress }) {
    const contract = state.contracts.toWrite(toAddress(contractAddress));
    contract.abi = undefined;
    return contract;
}
//# sourceMappingURL=smart-contract-owner.js.map