import type { SmartContract } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';

interface Addresses {
  readonly ownerAddress: Uint8Array;
  readonly contractAddress: Uint8Array;
}

/**
 * Checks that the owner deployed the smart contract.
 * @throws {ContractValidateError} the contract does not exist, or another account deployed it
 */
export function requireDeployer(
  state: State,
  { ownerAddress, contractAddress }: Addresses,
  missing = 'Contract does not exist',
): void {
  const contract = state.contracts.get(toAddress(contractAddress)) ?? refuse(missing);
  if (equalBytes(ownerAddress, contract.originAddress)) return;
  refuse(`Account[${toAddress(ownerAddress)}] is not the owner of the contract`);
}

/**
 * Returns a smart contract's row for writing. As in java-tron, deletes an ABI that an old row contains. Reference:
 * ContractStore.put
 */
export function contractToWrite(state: State, { contractAddress }: Addresses): SmartContract {
  const contract = state.contracts.existingToWrite(toAddress(contractAddress));
  contract.abi = undefined;
  return contract;
}
