import type { ShieldedTransferContract, TransactionInfo } from '../../codec/generated/messages.js';
import type { Address } from '../../primitives/address.js';
import { EMPTY_BYTES, equalBytes, toHex } from '../../primitives/bytes.js';
import type { State } from '../../state-transition/state/state.js';

/** What the value of a transaction may be read from, beside its contract. */
export interface ValueSource {
  /** Undefined for a transaction that is in no block. */
  readonly info: TransactionInfo | undefined;
  readonly owner: Address;
  readonly state: State;
}

export function nobody(): Uint8Array {
  return EMPTY_BYTES;
}

export function nothing(): bigint {
  return 0n;
}

/** An amount that only the receipt knows. */
export function received(
  field: 'unfreezeAmount' | 'withdrawAmount' | 'withdrawExpireAmount',
): (contract: object, source: ValueSource) => bigint {
  return (_, { info }) => info?.[field] ?? 0n;
}

/** What came in from an account, or what goes out to one. */
export function shieldedAmount({ fromAmount, toAmount }: ShieldedTransferContract): bigint {
  if (fromAmount > 0n) return fromAmount;
  return toAmount > 0n ? toAmount : 0n;
}

/** Frozen supply of the one token that an account issued. */
export function frozenSupply(state: State, owner: Address): bigint {
  const account = state.account(owner);
  if (account === undefined) return 0n;
  const isById = state.properties.isOn('ALLOW_SAME_TOKEN_NAME');
  const id = isById ? account.assetIssuedID : account.assetIssuedName;
  const asset = isById ? state.assetsV2.get(toHex(id)) : state.assets.get(toHex(id));
  if (asset === undefined || !equalBytes(asset.ownerAddress, account.address)) return 0n;
  return asset.frozenSupply.reduce((sum, { frozenAmount }) => sum + frozenAmount, 0n);
}
