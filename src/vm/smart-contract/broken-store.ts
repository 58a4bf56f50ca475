import { JavaHashMap, javaHashOfKey } from '../../java-compat/hash-map.js';
import type { Address } from '../../primitives/address.js';
import type { Mark } from '../../state-transition/state/journal.js';
import { javaFailure, type VmError } from '../../state-transition/vm-error.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';

/**
 * Before multi-sign the reference cannot store empty code: it fails while it stores what a creation did. Until
 * Constantinople that code is known beforehand, since then it is what the program returned. Reference: Value,
 * RepositoryImpl.commit
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
 * Undoes what a creation did but what is stored by then: accounts, and the code of those new contracts that its hash
 * map has before this one.
 * @param mark begin of the run @returns how it failed
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
