import { type SmartContract, SmartContractABI } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import type { Address } from '../../primitives/address.js';
import type { State } from '../../state-transition/state/state.js';
import { VmError } from '../../state-transition/vm-error.js';
import type { Machine } from './machine.js';

/**
 * Stores the row of a contract. If the contract has no ABI row, also stores its ABI in such a row. Reference:
 * commitContractCache.
 */
export function putContract(machine: Machine, address: Address, contract: SmartContract): void {
  const { state } = machine;
  keepAbi(state, address, contract.abi);
  contract.abi = undefined;
  state.contracts.put(address, contract);
  machine.created.add(address);
}

/**
 * Stores an ABI row for a contract that has none, as java-tron does whenever a contract is stored. The ABI may be
 * empty.
 */
export function keepAbi(state: State, address: Address, abi = new SmartContractABI()): void {
  if (!state.abis.has(address)) state.abis.put(address, abi);
}

const RESERVED = 0xef;

/**
 * Returns an error if the code must not be deployed; otherwise undefined. Does not charge energy for the code.
 * Reference: Program.createContractImpl, EIP-3541.
 */
export function refusedCode({ rules }: Machine, code: Uint8Array): VmError | undefined {
  if (!rules.london || code[0] !== RESERVED) return undefined;
  return new VmError('INVALID_CODE', 'invalid code: must not begin with 0xef');
}

/** Stores a contract's code. Empty code gets no row. Reference: RepositoryImpl.saveCode. */
export function saveCode({ state, rules }: Machine, address: Address, code: Uint8Array): void {
  if (code.length > 0) state.code.put(address, code);
  if (rules.constantinople) state.contracts.existingToWrite(address).codeHash = keccak256(code);
}
