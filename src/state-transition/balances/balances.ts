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
 * Adds an amount of SUN, which may be negative, and stores the account. If the amount is 0, does not store the account.
 * Reference: Commons.adjustBalance.
 * @throws {BalanceInsufficientError} the balance would become negative
 * @throws {ArithmeticError} the balance would exceed 64 bits
 * @throws {ChainError} NullPointerException: the account does not exist
 */
export function adjustBalance(state: State, address: Address, amount: bigint): void {
  if (!state.accounts.has(address)) throw new ChainError('NullPointerException', null, { checked: false });
  if (amount !== 0n) adjustBalanceOf(state, address, state.existingAccountToWrite(address), amount);
}

/**
 * Adds an amount of SUN, which may be negative, to an account that the caller has loaded for writing.
 * @throws {BalanceInsufficientError} the balance would become negative
 * @throws {ArithmeticError} the balance would exceed 64 bits
 */
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

/** Burns an amount of SUN. Before `ALLOW_BLACKHOLE_OPTIMIZATION`, adds the amount to the blackhole account instead. */
export function burn(state: State, amount: bigint): void {
  if (!state.properties.supportsBlackHoleOptimization()) adjustBalance(state, state.rules.blackhole, amount);
  else if (amount > 0n) state.properties.add('BURN_TRX_AMOUNT', amount);
}

/** Adds a fee for bandwidth or energy to the fee pool, or burns the fee if the chain has no fee pool. */
export function payIntoPool(state: State, amount: bigint): void {
  if (!state.properties.isOn('ALLOW_TRANSACTION_FEE_POOL')) burn(state, amount);
  else if (amount > 0n) state.properties.add('TRANSACTION_FEE_POOL', amount);
}
