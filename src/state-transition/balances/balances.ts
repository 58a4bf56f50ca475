import type { Account } from '../../codec/generated/messages.js';
import type { Address } from '../../primitives/address.js';
import { addExact } from '../../primitives/int64.js';
import { ChainError } from '../errors.js';
import type { State } from '../state/state.js';

/** Thrown if a balance would become negative. Reference: BalanceInsufficientException. */
export class BalanceInsufficientError extends ChainError {
  constructor(text: string) {
    super('BalanceInsufficientException', text);
  }
}

/**
 * Adds `amount` SUN (may be negative) and stores the account. If the amount is 0, the account is not stored.
 * @throws {BalanceInsufficientError}
 * Reference: Commons.adjustBalance
 */
export function adjustBalance(state: State, address: Address, amount: bigint): void {
  if (!state.accounts.has(address)) throw new ChainError('NullPointerException', null, { checked: false });
  if (amount !== 0n) adjustBalanceOf(state, address, state.existingAccountToWrite(address), amount);
}

/** Like `adjustBalance`, for an account that the caller already loaded for writing. */
export function adjustBalanceOf(state: State, address: Address, account: Account, amount: bigint): void {
  if (amount === 0n) return;
  if (amount < 0n && account.balance < -amount) {
    throw new BalanceInsufficientError(
      `${address} insufficient balance, balance: ${account.balance}, amount: ${-amount}`,
    );
  }
  account.balance = addExact(account.balance, amount);
  state.saveAccount(address, account);
}

/** Burns a fee that no account receives. Before the black hole optimization, moves the fee to the blackhole account. */
export function burn(state: State, amount: bigint): void {
  if (!state.properties.supportsBlackHoleOptimization()) adjustBalance(state, state.rules.blackhole, amount);
  else if (amount > 0n) state.properties.add('BURN_TRX_AMOUNT', amount);
}

/** Collects a fee for bandwidth or energy in the fee pool, or burns it if the chain has no fee pool. */
export function payIntoPool(state: State, amount: bigint): void {
  if (!state.properties.isOn('ALLOW_TRANSACTION_FEE_POOL')) burn(state, amount);
  else if (amount > 0n) state.properties.add('TRANSACTION_FEE_POOL', amount);
}
