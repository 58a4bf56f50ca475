import type { TransactionInfo } from '../../codec/generated/messages.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { State } from '../../state-transition/state/state.js';
import type { TransactionContent } from '../../state-transition/transaction.js';
import { interfaceOf } from './contract-interfaces.js';
import { type Parties, unnamed } from './contract-parties.js';

/** Whom a contract is for; empty for those that are for nobody. */
export function contractRecipient({ contractType, parameter }: TransactionContent): Uint8Array {
  return interfaceOf(contractType)?.recipient(parameter) ?? EMPTY_BYTES;
}

/** What JSON-RPC shows as the value of a transaction. @param info undefined for a transaction that is in no block */
export function contractAmount(
  { contractType, parameter, owner }: TransactionContent,
  info: TransactionInfo | undefined,
  state: State,
): bigint {
  return interfaceOf(contractType)?.value(parameter, { info, owner, state }) ?? 0n;
}

/** Whether transactions of a type have parties; of others nobody needs to read the parameter. */
export function namesParties(type: number): boolean {
  const row = interfaceOf(type);
  return row !== undefined && row.parties !== unnamed;
}

/** Whom a contract concerns. @returns undefined for types that name nobody, and for a parameter that cannot be read */
export function contractParties(
  type: number,
  parameter: object | undefined,
  info: TransactionInfo | undefined,
): Parties | undefined {
  return parameter && interfaceOf(type)?.parties(parameter, info);
}
