import type { Address } from '../../../primitives/address.js';
import { fromHex, toHex } from '../../../primitives/bytes.js';
import { addExact, subExact } from '../../../primitives/int64.js';
import type { State } from '../../state/state.js';
import { assetBalance, setAssetBalance } from '../assets/asset-balance.js';
import { isTrx } from '../exchange/exchange-pool.js';

/**
 * Balances of an account that java-tron reads at the start of an operation and stores at its end. If the operation
 * also changes the account in the state in the meantime, the store overwrites this change. This happens if an order
 * matches another order of the same account, or if the account is the blackhole account.
 */
export class AccountCopy {
  readonly address: Address;
  balance: bigint;
  private readonly state: State;
  private readonly tokens = new Map<string, bigint>();
  private readonly changed = new Set<string>();

  /** Reads the balances. @param tokens tokens whose balances may change */
  constructor(state: State, address: Address, tokens: readonly Uint8Array[]) {
    const account = state.existingAccount(address);
    this.state = state;
    this.address = address;
    this.balance = account.balance;
    for (const token of tokens) {
      if (!isTrx(token)) this.tokens.set(toHex(token), assetBalance(state, address, account, token));
    }
  }

  /** Adds an amount to a balance. @throws {ArithmeticError} the balance would exceed 64 bits */
  credit(token: Uint8Array, amount: bigint): void {
    if (isTrx(token)) this.balance = addExact(this.balance, amount);
    else this.setToken(token, addExact(this.tokens.get(toHex(token)) ?? 0n, amount));
  }

  /**
   * Subtracts an amount from a balance. If a TRC10 amount exceeds the balance, subtracts nothing.
   * @throws {ArithmeticError} the balance would exceed 64 bits
   */
  debit(token: Uint8Array, amount: bigint): void {
    if (isTrx(token)) {
      this.balance = subExact(this.balance, amount);
      return;
    }
    const balance = this.tokens.get(toHex(token)) ?? 0n;
    if (amount > 0n && amount <= balance) this.setToken(token, balance - amount);
  }

  /**
   * Stores the balances. Also overwrites token balances that other code changed in the state since this copy was read,
   * because java-tron stores the whole account.
   */
  store(): void {
    const account = this.state.existingAccountToWrite(this.address);
    account.balance = this.balance;
    for (const [token, amount] of this.tokens) {
      const key = fromHex(token);
      if (this.changed.has(token) || assetBalance(this.state, this.address, account, key) !== amount)
        setAssetBalance(this.state, this.address, account, key, amount);
    }
    this.state.saveAccount(this.address, account);
  }

  private setToken(token: Uint8Array, amount: bigint): void {
    this.tokens.set(toHex(token), amount);
    this.changed.add(toHex(token));
  }
}
