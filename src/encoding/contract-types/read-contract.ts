import type { TransactionInfo } from '../../codec/generated/messages.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { State } from '../../state-transition/state/state.js';
import type { TransactionContent } from '../../state-transition/transaction.js';
import { interfaceOf } from './contract-interfaces.js';
import { type Parties, unnamed } from './contract-parties.js';
import type { ReadReceipt } from './contract-values.js';

/** Returns the receiver of a contract; empty for contract types without a receiver. */
export function contractRecipient({
  contractType,
  parameter,
}: Pick<TransactionContent, 'contractType' | 'parameter'>): Uint8Array {
  return interfaceOf(contractType)?.recipient(parameter) ?? EMPTY_BYTES;
}

/**
 * Returns the value of a transaction for JSON-RPC. Reads the receipt only if the contract type's value is in the
 * receipt.
 */
export function contractAmount(
  { contractType, parameter }: Pick<TransactionContent, 'contractType' | 'parameter'>,
  readReceipt: ReadReceipt,
  state: State,
): bigint {
  return interfaceOf(contractType)?.value(parameter, { readReceipt, state }) ?? 0n;
}

/**
 * Returns true if transactions of this type can have a sender or receiver to report. If false, callers need not decode
 * the parameter.
 */
export function namesParties(type: number): boolean {
  const row = interfaceOf(type);
  return row !== undefined && row.parties !== unnamed;
}

/** Returns the parties of a contract; undefined for types without parties and for malformed parameters. */
export function contractParties(
  type: number,
  parameter: object | undefined,
  info: TransactionInfo | undefined,
): Parties | undefined {
  return parameter && interfaceOf(type)?.parties(parameter, info);
}
