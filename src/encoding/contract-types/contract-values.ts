import type { ShieldedTransferContract, TransactionInfo } from '../../codec/generated/messages.js';
import type { Address } from '../../primitives/address.js';
import { EMPTY_BYTES, equalBytes, toHex } from '../../primitives/bytes.js';
import type { State } from '../../state-transition/state/state.js';

/** Returns the receipt of a transaction; undefined for a transaction outside of a block. */
export type ReadReceipt = () => TransactionInfo | undefined;

/** Data from which the value of a transaction is computed, in addition to its contract. */
export interface ValueSource {
  readonly readReceipt: ReadReceipt;
  readonly state: State;
}

export function noRecipient(): Uint8Array {
  return EMPTY_BYTES;
}

export function nothing(): bigint {
  return 0n;
}

/**
 * Returns a function that reads an amount in SUN from the receipt, for an amount that the contract does not contain.
 * The amount is 0 if there is no receipt.
 */
export function received(
  field: 'unfreezeAmount' | 'withdrawAmount' | 'withdrawExpireAmount',
): (contract: object, source: ValueSource) => bigint {
  return (_, { readReceipt }) => readReceipt()?.[field] ?? 0n;
}

/**
 * Returns the amount in SUN that a shielded transfer moves from an account into the shielded pool, or from the pool to
 * an account.
 */
export function shieldedAmount({ fromAmount, toAmount }: ShieldedTransferContract): bigint {
  if (fromAmount > 0n) return fromAmount;
  return toAmount > 0n ? toAmount : 0n;
}

/**
 * Returns the frozen supply of the token that an account issued, in units of the token; 0 if the account issued no
 * token.
 */
export function frozenSupply(state: State, owner: Address): bigint {
  const account = state.account(owner);
  if (account === undefined) return 0n;
  const isById = state.properties.isOn('ALLOW_SAME_TOKEN_NAME');
  const id = isById ? account.assetIssuedID : account.assetIssuedName;
  const asset = isById ? state.assetsV2.get(toHex(id)) : state.assets.get(toHex(id));
  if (asset === undefined || !equalBytes(asset.ownerAddress, account.address)) return 0n;
  return asset.frozenSupply.reduce((sum, { frozenAmount }) => sum + frozenAmount, 0n);
}
