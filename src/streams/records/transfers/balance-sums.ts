import { type Balance, balanceKey } from './balance-changes.js';
import type { MovementKind } from './kinds.js';
import type { Movement } from './movement.js';

/** A balance that differs from the sum of the movements of its account and token. */
export interface BalanceMismatch {
  /** Address in hex. */
  readonly account: string;
  readonly token: string;
  readonly sum: bigint;
  readonly balance: bigint;
}

interface Sum {
  readonly account: string;
  readonly token: string;
  amount: bigint;
}

/** Sums of movements in TRX and TRC10 assets by account and token. */
export class BalanceSums {
  /** Number of movements by kind. */
  readonly kinds = new Map<MovementKind, number>();
  private readonly sums = new Map<string, Sum>();
  private readonly account: string | undefined;

  /** @param account hex address of the only account to sum; undefined to sum all accounts */
  constructor(account?: string) {
    this.account = account;
  }

  /**
   * Adds the movements of a block. Movements that only events report change no balance in TRX or TRC10 assets. They are
   * counted in `kinds`, but not summed.
   */
  add(movements: readonly Movement[]): void {
    for (const { kind, standard, token, from, to, amount } of movements) {
      const { account } = this;
      if (account !== undefined && from !== account && to !== account) continue;
      this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
      if (standard !== 'TRX' && standard !== 'TRC10') continue;
      if (from !== undefined) this.change(from, token, -amount);
      if (to !== undefined) this.change(to, token, amount);
    }
  }

  private change(account: string, token: string, amount: bigint): void {
    if (this.account !== undefined && account !== this.account) return;
    const key = balanceKey(account, token);
    const known = this.sums.get(key);
    if (known === undefined) this.sums.set(key, { account, token, amount });
    else known.amount += amount;
  }

  /** Returns the sum of the movements of an account (hex) in a token. */
  of(account: string, token: string): bigint {
    return this.sums.get(balanceKey(account, token))?.amount ?? 0n;
  }

  /** Number of accounts with movements. */
  get accountCount(): number {
    return new Set([...this.sums.values()].map(({ account }) => account)).size;
  }

  /** Returns all balances of a state that differ from the sums. The sums must start at genesis. */
  mismatchesWithAll(balances: Iterable<Balance>): BalanceMismatch[] {
    const open = new Map(this.sums);
    const mismatches: BalanceMismatch[] = [];
    const compare = (account: string, token: string, sum: bigint, balance: bigint): void => {
      if (sum !== balance) mismatches.push({ account, token, sum, balance });
    };
    for (const { account, token, amount } of balances) {
      const key = balanceKey(account, token);
      compare(account, token, open.get(key)?.amount ?? 0n, amount);
      open.delete(key);
    }
    for (const { account, token, amount } of open.values()) compare(account, token, amount, 0n);
    return mismatches;
  }

  /**
   * Returns the mismatches between the balance after the movements, and the balance before the movements plus their
   * sum. Compares only accounts and tokens that have movements.
   */
  mismatchesBetween(
    before: (account: string, token: string) => bigint,
    after: (account: string, token: string) => bigint,
  ): BalanceMismatch[] {
    return [...this.sums.values()].flatMap(({ account, token, amount }) => {
      const [sum, balance] = [before(account, token) + amount, after(account, token)];
      return sum === balance ? [] : [{ account, token, sum, balance }];
    });
  }
}
