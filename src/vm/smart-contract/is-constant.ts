import {
  SmartContractABIEntryEntryType as EntryType,
  SmartContractABIEntryStateMutabilityType as Mutability,
  type SmartContractABI,
} from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { equalBytes, utf8 } from '../../primitives/bytes.js';
import { SELECTOR_BYTES } from '../../primitives/units.js';

/**
 * Returns true if the ABI in a contract's row declares the called function as constant. Only old rows contain an ABI;
 * newer ABIs are in the ABI store. Reference: WalletUtil.isConstant.
 */
export function isConstantCall(abi: SmartContractABI | undefined, data: Uint8Array): boolean {
  if (abi === undefined || data.length < SELECTOR_BYTES) return false;
  const selector = data.subarray(0, SELECTOR_BYTES);
  for (const entry of abi.entrys) {
    if (entry.type !== EntryType.Function) continue;
    const signature = `${entry.name}(${entry.inputs.map(({ type }) => type).join(',')})`;
    if (!equalBytes(keccak256(utf8(signature)).subarray(0, SELECTOR_BYTES), selector)) continue;
    return entry.constant || entry.stateMutability === Mutability.View || entry.stateMutability === Mutability.Pure;
  }
  return false;
}
