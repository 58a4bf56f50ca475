import { JavaHashMap, javaHashOfKey } from '../../java-compat/hash-map.js';
import type { Address } from '../../primitives/address.js';
import type { Mark } from '../../state-transition/state/journal.js';
import { javaFailure, type VmError } from '../../state-transition/vm-error.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';

/**
 * Returns true if java-tron cannot store the effects of a creation: before the multi-sign proposal, it fails to store
 * empty code. Before Constantinople, the code is a part of the transaction; afterwards, it is the return data of the
 * init code. Reference: Value, RepositoryImpl.commit
 */
export function failsToStore(
  { rules }: Machine,
  frame: CallFrame,
  prepared: { readonly isCreation: boolean; readonly hasEmptyCode: boolean },
): boolean {
  if (!prepared.isCreation || rules.multiSign) return false;
  return rules.constantinople ? frame.returnData.length === 0 : prepared.hasEmptyCode;
}

/**
 * Reverts a creation, except for the rows that java-tron has stored before it fails: the accounts, and the code of
 * each new contract that precedes the failed contract in the iteration order of java-tron's hash map.
 * @param mark mark at the start of the run
 * @returns the failure of the creation
 */
export function storeBeginning(machine: Machine, frame: CallFrame, mark: Mark): VmError {
  const { state } = machine;
  const codes = new JavaHashMap<Address, Uint8Array | undefined>(javaHashOfKey);
  for (const address of machine.created.all())
    if (address !== frame.context) codes.set(address, state.code.get(address));
  codes.set(frame.context, undefined);
  machine.accounts.storeAlone(mark);
  for (const [address, code] of codes.entries()) {
    if (address === frame.context) break;
    if (code !== undefined) state.code.put(address, code);
  }
  frame.energyUsed = frame.energyLimit;
  machine.reject(0);
  return javaFailure('RuntimeException', 'Unknown Throwable');
}
