import { ContractState, type SmartContract, SmartContractDataWrapper } from '../../codec/generated/messages.js';
import { toAddress } from '../../primitives/address.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { caughtUp } from '../../state-transition/resources/dynamic-energy.js';
import type { ChainView } from '../context/api-context.js';

/** Returns a contract with its ABI. Reference: Wallet.getContract. */
export function contract({ state }: ChainView, address: Uint8Array): SmartContract | undefined {
  const key = toAddress(address);
  if (state.account(key) === undefined) return undefined;
  const found = state.contracts.get(key)?.clone();
  const abi = state.abis.get(key);
  if (found !== undefined && abi !== undefined) found.abi = abi;
  return found;
}

/** Returns a contract with its code and its current dynamic energy factor. Reference: Wallet.getContractInfo. */
export function contractInfo(view: ChainView, address: Uint8Array): SmartContractDataWrapper | undefined {
  const smartContract = contract(view, address);
  if (smartContract === undefined) return undefined;
  const { state } = view;
  const key = toAddress(address);
  const cycle = state.properties.get('CURRENT_CYCLE_NUMBER');
  const row = state.contractStates.get(key);
  const contractState =
    row === undefined
      ? Object.assign(new ContractState(), { updateCycle: cycle })
      : row.updateCycle === cycle
        ? row
        : caughtUp(row, cycle, state);
  return Object.assign(new SmartContractDataWrapper(), {
    smartContract,
    runtimecode: state.code.get(key) ?? EMPTY_BYTES,
    contractState,
  });
}
