import type { Address } from '../../primitives/address.js';
import { INVALID_TOKEN, TOKEN_ID_MIN, tokenBalance } from '../../state-transition/balances/tokens.js';
import { failure, longRange, transferFailed } from '../../state-transition/vm-error.js';
import type { CallRequest } from '../machine/call-request.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';

/** Returns the call value as a long. @throws {VmError} the value does not fit into 64 bits */
export function endowmentOf({ rules }: Machine, frame: CallFrame, { value, energy }: CallRequest): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  if (!rules.constantinople) throw longRange();
  frame.energyUsed -= energy;
  throw transferFailed('endowment out of long range');
}

/**
 * Returns the id of the token that the call transfers; undefined for TRX. Reference: Program.checkTokenId,
 * isTokenTransfer.
 * @throws {VmError} the token id is invalid
 */
export function tokenOf({ rules }: Machine, frame: CallFrame, request: CallRequest): string | undefined {
  const { tokenId, isTokenMessage, energy } = request;
  if (!rules.multiSign) {
    const id = BigInt.asIntN(64, tokenId);
    return id === 0n ? undefined : id.toString();
  }
  const id = BigInt.asIntN(256, tokenId);
  const isLong = BigInt.asIntN(64, id) === id;
  const isInvalid = !isLong || (id <= TOKEN_ID_MIN && id !== 0n) || (id === 0n && isTokenMessage);
  if (isInvalid) {
    if (!rules.constantinople) throw isLong ? failure(INVALID_TOKEN) : longRange();
    frame.energyUsed -= energy;
    throw transferFailed(INVALID_TOKEN);
  }
  return isTokenMessage ? id.toString() : undefined;
}

/** Returns the balance that a call can transfer. @param token token id; undefined for the balance in SUN */
export function balanceFor({ accounts, state }: Machine, address: Address, token: string | undefined): bigint {
  if (token === undefined) return accounts.balance(address);
  const account = accounts.get(address);
  return account === undefined ? 0n : tokenBalance(state, address, account, token);
}
