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
 * Accounts as a program (the code of a smart contract) reads and writes them.
 *
 * java-tron has one account cache per call, and writes the cache of the outermost call to the state when the program
 * ends. The balance history lists changes in the iteration order of this cache, a Java hash map of all accounts that
 * were read. This class therefore also records accounts that are only read. Reference: RepositoryImpl.
 */
export class VmAccounts {
  readonly state: State;
  /** Accounts that java-tron's cache of the outermost call would contain, in insertion order. */
  private readonly seen = new Set<Address>();
  /** Balances before the program, in SUN, of all accounts that the program wrote. */
  private readonly before = new Map<Address, bigint>();
  /**
   * Accounts created by inner calls that are still running. The cache of the outermost call does not contain them yet.
   */
  private readonly created: Address[] = [];
  private readonly isMade = new Set<Address>();
  private readonly trace: BalanceTrace | undefined;

  /** Suspends the balance history of the state until `store` or `release`. */
  constructor(state: State) {
    this.state = state;
    this.trace = state.trace;
    state.trace = undefined;
  }

  /** Returns an account, which must not be modified; undefined if it does not exist. */
  get(address: Address): Account | undefined {
    const account = this.state.accounts.get(address);
    if (account !== undefined && !this.seen.has(address) && !this.isMade.has(address)) this.seen.add(address);
    return account;
  }

  /** Returns an account that may be modified in place; undefined if it does not exist. */
  write(address: Address): Account | undefined {
    const account = this.get(address);
    if (account === undefined) return undefined;
    if (!this.before.has(address)) this.before.set(address, account.balance);
    return this.state.accountToWrite(address);
  }

  /**
   * Returns an account that must exist, because the program runs at its address or found it before. Must not be
   * modified.
   * @throws {AssertionError} the account does not exist, which is a bug in Tronicle
   */
  existing(address: Address): Account {
    return present(this.get(address), FOUND_BEFORE);
  }

  /**
   * Returns an account that must exist, for modification in place.
   * @throws {AssertionError} the account does not exist, which is a bug in Tronicle
   */
  writeExisting(address: Address): Account {
    return present(this.write(address), FOUND_BEFORE);
  }

  balance(address: Address): bigint {
    return this.get(address)?.balance ?? 0n;
  }

  /** Creates an account. @param depth depth of the call that creates it; 0 is the outermost */
  create(address: Address, depth: number, fields: Partial<Account>): Account {
    const account = newAccount(address, fields);
    if (!this.before.has(address)) this.before.set(address, this.state.accounts.get(address)?.balance ?? 0n);
    this.state.putAccount(address, account);
    if (this.seen.has(address)) return account;
    if (depth === 0) this.seen.add(address);
    else {
      this.created.push(address);
      this.isMade.add(address);
    }
    return account;
  }

  /** Creates an account for a transfer to a new address. Reference: RepositoryImpl.createNormalAccount. */
  createNormal(address: Address, depth: number): Account {
    const { state } = this;
    const bytes = addressBytes(address);
    const permissions = state.properties.isOn('ALLOW_MULTI_SIGN')
      ? { ownerPermission: defaultOwnerPermission(bytes), activePermission: [defaultActivePermission(bytes, state)] }
      : {};
    const createTime = state.properties.get('latest_block_header_timestamp');
    return this.create(address, depth, { type: AccountType.Normal, createTime, ...permissions });
  }

  /**
   * Adds an amount of SUN, which may be negative. Creates a missing account. Reference: RepositoryImpl.addBalance.
   * @returns the new balance in SUN
   * @throws {VmError} RuntimeException: the balance would become negative; ArithmeticException: the balance would
   * exceed 64 bits
   */
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
    return this.created.length;
  }

  /** Removes the accounts of a failed call from `created`. @param mark result of `mark` before the call */
  revertTo(mark: number): void {
    for (const address of this.created.splice(mark)) this.isMade.delete(address);
  }

  /**
   * Called after a successful inner call. If the outermost call made this call, adds the created accounts to `seen`.
   * @param mark result of `mark` before the call
   * @param depth depth of the finished call; 1 if the outermost call made it
   */
  keep(mark: number, depth: number): void {
    if (depth !== 1) return;
    for (const address of this.created.splice(mark)) this.seen.add(address);
  }

  /** Adds the changes of a successful program to the balance history, in java-tron's order. */
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

  /**
   * Keeps the changes of accounts since `mark` and adds them to the balance history. Reverts all other changes. Used
   * for a contract creation that java-tron cannot store completely (see `broken-store.ts`).
   */
  storeAlone(mark: Mark): void {
    const current = [...this.before.keys()].map((address) => [address, this.state.accounts.get(address)] as const);
    this.state.revertTo(mark);
    for (const [address, account] of current) if (account !== undefined) this.state.accounts.put(address, account);
    this.store();
  }

  /** Resumes the balance history after a failed program. The history contains no changes of this program. */
  release(): void {
    this.state.trace = this.trace;
  }
}

const FOUND_BEFORE = 'the program runs as this account, or found it before';

function exact(balance: bigint, amount: bigint): bigint {
  const sum = balance + amount;
  if (BigInt.asIntN(64, sum) !== sum) throw javaFailure('ArithmeticException', 'long overflow');
  return sum;
}
