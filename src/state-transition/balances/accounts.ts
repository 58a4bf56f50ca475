import { type Account, AccountType } from '../../codec/generated/messages.js';
import { JavaHashMap, javaHashOfKey } from '../../java-compat/hash-map.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';
import type { BalanceTrace } from '../state/balance-trace.js';
import type { Mark } from '../state/journal.js';
import { defaultActivePermission, defaultOwnerPermission } from '../state/permissions.js';
import { newAccount, type State } from '../state/state.js';
import { javaFailure } from '../vm-error.js';

/**
 * Accounts as a program reads and writes them. The reference keeps them in a cache of its own for each call and stores
 * the outermost one when the program ends; the balance history lists changes in the order of that cache, a Java hash
 * map of all accounts that were looked at. So this class notes which ones were. Reference: RepositoryImpl.
 */
export class VmAccounts {
  readonly state: State;
  /** Accounts in the outermost cache, in order of arrival. */
  private readonly seen = new Set<Address>();
  /** Balances before the program, of the accounts that it wrote. */
  private readonly before = new Map<Address, bigint>();
  /** Accounts made by calls that have not returned to the outermost one. */
  private readonly made: Address[] = [];
  private readonly isMade = new Set<Address>();
  private readonly trace: BalanceTrace | undefined;

  /** Takes over the balance history until `store`, or `release`. */
  constructor(state: State) {
    this.state = state;
    this.trace = state.trace;
    state.trace = undefined;
  }

  /** For reading only. */
  get(address: Address): Account | undefined {
    const account = this.state.accounts.get(address);
    if (account !== undefined && !this.seen.has(address) && !this.isMade.has(address)) this.seen.add(address);
    return account;
  }

  /** For changing in place. */
  write(address: Address): Account | undefined {
    const account = this.get(address);
    if (account === undefined) return undefined;
    if (!this.before.has(address)) this.before.set(address, account.balance);
    return this.state.accountToWrite(address);
  }

  /**
   * An account that the program runs as, or has found before. For reading only.
   * @throws {AssertionError} it is absent: a defect here
   */
  existing(address: Address): Account {
    return present(this.get(address), FOUND_BEFORE);
  }

  /** As `existing`, for changing in place. @throws {AssertionError} */
  writeExisting(address: Address): Account {
    return present(this.write(address), FOUND_BEFORE);
  }

  balance(address: Address): bigint {
    return this.get(address)?.balance ?? 0n;
  }

  /** @param depth of the call that makes it: 0 is the outermost */
  create(address: Address, depth: number, fields: Partial<Account>): Account {
    const account = newAccount(address, fields);
    if (!this.before.has(address)) this.before.set(address, this.state.accounts.get(address)?.balance ?? 0n);
    this.state.putAccount(address, account);
    if (this.seen.has(address)) return account;
    if (depth === 0) this.seen.add(address);
    else {
      this.made.push(address);
      this.isMade.add(address);
    }
    return account;
  }

  /** An account as a transfer to an unknown address makes it. Reference: RepositoryImpl.createNormalAccount. */
  createNormal(address: Address, depth: number): Account {
    const { state } = this;
    const bytes = addressBytes(address);
    const permissions = state.properties.isOn('ALLOW_MULTI_SIGN')
      ? { ownerPermission: defaultOwnerPermission(bytes), activePermission: [defaultActivePermission(bytes, state)] }
      : {};
    const createTime = state.properties.get('latest_block_header_timestamp');
    return this.create(address, depth, { type: AccountType.Normal, createTime, ...permissions });
  }

  /** Adds SUN (may be negative), making the account when there is none. Reference: RepositoryImpl.addBalance. */
  addBalance(address: Address, amount: bigint, depth: number): bigint {
    const known = this.get(address) ?? this.create(address, depth, { type: AccountType.Normal });
    if (amount === 0n) return known.balance;
    if (amount < 0n && known.balance < -amount)
      throw javaFailure('RuntimeException', `${address} insufficient balance`);
    const balance = exact(known.balance, amount);
    this.writeExisting(address).balance = balance;
    return balance;
  }

  mark(): number {
    return this.made.length;
  }

  /** A call failed: the accounts that it made are no more. */
  revertTo(mark: number): void {
    for (const address of this.made.splice(mark)) this.isMade.delete(address);
  }

  /** A call returned; to the outermost one when `depth` is 1. */
  keep(mark: number, depth: number): void {
    if (depth !== 1) return;
    for (const address of this.made.splice(mark)) this.seen.add(address);
  }

  /** The program ended well: the balance history gets its changes in the reference's order. */
  store(): void {
    this.release();
    const { trace } = this;
    if (trace === undefined) return;
    const cache = new JavaHashMap<Address, true>(javaHashOfKey);
    for (const address of this.seen) cache.set(address, true);
    for (const [address] of cache.entries()) {
      const before = this.before.get(address);
      if (before === undefined) continue;
      trace.watch(address, before);
      trace.saved(address, this.state.accounts.get(address)?.balance ?? 0n);
    }
  }

  /** Undoes everything since `mark` but what was done to accounts, which counts as stored. */
  storeAlone(mark: Mark): void {
    const kept = [...this.before.keys()].map((address) => [address, this.state.accounts.get(address)] as const);
    this.state.revertTo(mark);
    for (const [address, account] of kept) if (account !== undefined) this.state.accounts.put(address, account);
    this.store();
  }

  /** The program failed: nothing of it is in the balance history. */
  release(): void {
    this.state.trace = this.trace;
  }
}

const FOUND_BEFORE = 'a program runs as this account, or has found it before';

function exact(balance: bigint, amount: bigint): bigint {
  const sum = balance + amount;
  if (BigInt.asIntN(64, sum) !== sum) throw javaFailure('ArithmeticException', 'long overflow');
  return sum;
}
