import { TransactionContractContractType as ContractType, TransactionResult } from '../codec/generated/messages.js';
import type { Address } from '../primitives/address.js';
import { itemAt } from '../primitives/assert.js';
import { equalBytes } from '../primitives/bytes.js';
import type { WrittenRow } from '../projections/state/overlaid-state.js';
import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import { ChainError, refuse, unchecked } from '../state-transition/errors.js';
import type { Mark } from '../state-transition/state/journal.js';
import type { State } from '../state-transition/state/state.js';
import { isFrozenTrade, refuseTrade } from '../state-transition/system-contracts/exchange/frozen-trades.js';
import type { BlockContext, DecodedTransaction } from '../state-transition/transaction.js';
import {
  withoutSurplusResults,
  withoutUnknown,
  withResults,
} from '../state-transition/transactions/decode-transaction.js';
import {
  checkNextSlot,
  type Execution,
  type Executor,
  executeTransaction,
} from '../state-transition/transactions/execute-transaction.js';
import { validateSignature } from '../state-transition/transactions/validate-signature.js';
import type { SnapshotWindow } from './snapshot-window.js';
import { type PendingTransaction, TransactionQueue } from './transaction-queue.js';

export interface MempoolOptions {
  /** True to pack transactions with higher fees first. Set by `node.openTransactionSort`. */
  readonly isSorted: boolean;
  /** Time in ms after which a pending transaction is dropped. Set by `node.pendingTransactionTimeout`. */
  readonly timeoutMs: number;
  /**
   * False to drop shielded transactions without an error for the client. Only release 4.7.2 uses this value. Set by
   * `node.allowShieldedTransactionApi`.
   */
  readonly allowsShielded: boolean;
  readonly now: () => number;
}

/** Callbacks for changes of the pending transactions. */
export interface MempoolListener {
  /** Called after a transaction was added. `mark` is the position in the state journal at which its changes start. */
  admitted(pending: PendingTransaction, mark: Mark): void;
  /**
   * Called when the mempool changed without a new transaction: a queue changed, or the effects of pending transactions
   * were reverted.
   */
  changed(): void;
}

/** Receives the outcomes of transactions, for metrics. */
interface PoolObserver {
  refused(error: ChainError): void;
  timedOut(count: number): void;
  /** Called after a transaction was executed. @param isPacked true if it was executed for block production */
  executed(transaction: DecodedTransaction, seconds: number, isPacked: boolean): void;
}

/** Maximum number of pending shielded transactions. Reference: Manager.shieldedTransInPendingMaxCounts. */
const SHIELDED_MAX = 10;

/**
 * Pending transactions, executed on top of the head in the order of arrival. The full-node APIs read the state with
 * these effects. When a block arrives, the effects are reverted, and the transactions that are still pending are
 * executed again on top of the block. Reference: Manager.pushTransaction, PendingManager, Manager.rePush.
 */
export class Mempool {
  readonly pending: TransactionQueue;
  readonly repush: TransactionQueue;
  /**
   * Owners whose permissions changed. The signatures of their pending transactions must be verified again. Reference:
   * ownerAddressSet.
   */
  readonly changedOwners = new Set<Address>();
  readonly listeners = new Set<MempoolListener>();
  observer: PoolObserver | undefined;
  private readonly options: MempoolOptions;
  private readonly executor: Executor;
  private readonly state: State;
  private readonly snapshots: SnapshotWindow;
  private base: Mark | undefined;
  private readonly executed = new Set<string>();
  private revertedTransactions: DecodedTransaction[] = [];
  private shielded = 0;

  constructor(executor: Executor, state: State, snapshots: SnapshotWindow, options: MempoolOptions) {
    this.options = options;
    this.state = state;
    this.snapshots = snapshots;
    this.pending = new TransactionQueue(options.isSorted);
    this.repush = new TransactionQueue(options.isSorted);
    const { chain } = executor;
    const hasTransaction = (transaction: DecodedTransaction): boolean =>
      this.executed.has(transaction.idHex) || chain.hasTransaction(transaction);
    this.executor = { ...executor, chain: { ...chain, hasTransaction } };
  }

  /**
   * Adds a transaction from a client or a peer. Since 4.8.2, rejects a transaction that expires before the next slot.
   * @throws {ChainError} the transaction is rejected
   */
  validateAndAdd(transaction: DecodedTransaction): DecodedTransaction {
    if (this.state.rules.release.rules.limitsPending) checkNextSlot(this.state, transaction.raw.expiration);
    return this.add(transaction);
  }

  /**
   * Verifies and executes a transaction on top of the pending transactions, and adds it to the queue. If the limit of
   * pending shielded transactions is reached, drops a shielded transaction without an error.
   * @returns the transaction with its result, as queued
   * @throws {ChainError} the transaction is rejected
   */
  add(transaction: DecodedTransaction): DecodedTransaction {
    try {
      return this.insert({ transaction, order: 0n, timeMs: this.options.now(), isVerified: false });
    } catch (error) {
      if (error instanceof ChainError) this.observer?.refused(error);
      throw error;
    }
  }

  /** Reverts the effects of pending transactions, before a block is imported or produced. */
  resetToHead(): void {
    if (this.base !== undefined) {
      this.state.revertTo(this.base);
      this.snapshots.closePending();
    }
    this.base = undefined;
    this.executed.clear();
    this.notifyChanged();
  }

  /** Returns the rows that pending transactions wrote, encoded as in the database. */
  effects(): WrittenRow[] {
    return this.base === undefined ? [] : this.state.writtenSince(this.base);
  }

  /**
   * Moves pending transactions and the transactions of reverted blocks to the queue `repush`. Drops pending
   * transactions that timed out. Called after a block was accepted or rejected. {@link reinject} then executes the
   * queue.
   */
  demotePending(): void {
    const now = this.options.now();
    const isFresh = ({ timeMs }: PendingTransaction): boolean => now - timeMs < this.options.timeoutMs;
    const old = [...this.repush.values()].filter(({ timeMs }) => now - timeMs > this.options.timeoutMs);
    for (const item of old) this.repush.remove(item);
    const waited = [...this.pending.values()];
    const unexpired = waited.filter(isFresh);
    for (const item of unexpired) this.repush.add(item);
    this.observer?.timedOut(old.length + waited.length - unexpired.length);
    this.pending.clear();
    for (const transaction of this.revertedTransactions) {
      this.repush.add({ transaction, order: 0n, timeMs: now, isVerified: false });
    }
    this.revertedTransactions = [];
    this.shielded = 0;
    this.notifyChanged();
  }

  /** Stores the transactions of a block that a reorg reverted. The next call of {@link demotePending} queues them. */
  reinjectFrom({ transactions }: DecodedBlock): void {
    this.revertedTransactions.push(...transactions);
  }

  /**
   * Executes all transactions of the queue `repush` again, in queue order. Drops rejected transactions.
   * @throws the first unexpected error, after all other transactions were executed
   */
  reinject(): void {
    const { comparesSignatures } = this.state.rules.release.rules;
    const failures: unknown[] = [];
    for (let item = this.repush.peek(); item !== undefined; item = this.repush.peek()) {
      try {
        if (comparesSignatures && this.changedOwners.has(item.transaction.owner)) item.isVerified = false;
        if (!this.executor.chain.hasTransaction(item.transaction)) this.insert(item);
      } catch (error) {
        if (error instanceof ChainError) this.observer?.refused(error);
        else failures.push(error);
      } finally {
        this.repush.remove(item);
      }
    }
    this.notifyChanged();
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Returns a predicate for transactions of a block. It is true for a transaction that is also pending here, because
   * its signatures are then already verified. It is false if the permissions of the owner may have changed. Some
   * releases also compare the signatures. Reference: Manager.getVerifyTxs.
   */
  alreadyVerified(): (transaction: DecodedTransaction) => boolean {
    const { comparesSignatures } = this.state.rules.release.rules;
    const pendingById = new Map<string, DecodedTransaction>();
    const owners = new Set<Address>(comparesSignatures ? this.changedOwners : []);
    for (const { transaction } of this.pending.values()) {
      if (changesPermission(transaction)) owners.add(transaction.owner);
      else pendingById.set(transaction.idHex, transaction);
    }
    return (transaction) => {
      const checked = pendingById.get(transaction.idHex);
      if (checked === undefined || owners.has(transaction.owner)) return false;
      return !comparesSignatures || hasSameSignatures(transaction, checked);
    };
  }

  /** If a transaction changed the permissions of its owner, adds the owner to `changedOwners`. */
  trackPermissionChange(transaction: DecodedTransaction): void {
    if (changesPermission(transaction)) this.changedOwners.add(transaction.owner);
  }

  /** Called after a block. Removes owners without queued transactions from `changedOwners`. */
  clearChangedOwners(): void {
    const owners = this.repush.values().map(({ transaction }) => transaction.owner);
    const known = new Set(this.changedOwners);
    this.changedOwners.clear();
    for (const owner of owners) if (known.has(owner)) this.changedOwners.add(owner);
  }

  clear(): void {
    this.resetToHead();
    this.pending.clear();
    this.repush.clear();
    this.revertedTransactions = [];
    this.notifyChanged();
  }

  /**
   * Runs `pack`, which packs a block. During this run, the snapshot count is one higher, because java-tron opens a
   * snapshot for packing. The caller must first revert the effects of pending transactions.
   */
  packing<T>(pack: () => T): T {
    this.snapshots.open();
    try {
      return pack();
    } finally {
      this.snapshots.close();
    }
  }

  /**
   * Executes a transaction for the block that this node is producing. If the execution fails, the caller must revert
   * the state.
   * @returns the result, and the transaction in the form in which the block contains it
   * @throws {ChainError} the transaction is invalid
   */
  executeForBlock(item: PendingTransaction, block: BlockContext): { execution: Execution; packed: DecodedTransaction } {
    if (this.changedOwners.has(item.transaction.owner)) item.isVerified = false;
    const { transaction } = item;
    const context = { transaction, block };
    const started = performance.now();
    // Counts one snapshot for the transaction, as in java-tron. This state needs no snapshot, but peers can observe the
    // count.
    this.snapshots.open();
    this.snapshots.close();
    const execution = executeTransaction(this.executor, this.state, context, { isVerified: item.isVerified });
    this.observer?.executed(transaction, (performance.now() - started) / 1000, true);
    item.isVerified = true;
    this.executed.add(transaction.idHex);
    this.trackPermissionChange(transaction);
    return { execution, packed: withResult(this.state, transaction, execution.resultCode) };
  }

  private notifyChanged(): void {
    for (const listener of this.listeners) listener.changed();
  }

  private insert(pendingTransaction: PendingTransaction): DecodedTransaction {
    const item = this.trimmed(pendingTransaction);
    const { transaction } = item;
    // java-tron reads the type of the first contract before any validation, so a missing contract is an unchecked
    // exception. Reference: Manager.isShieldedTransaction.
    if (transaction.raw.contract.length === 0) throw unchecked('IndexOutOfBoundsException', 'Index: 0');
    const isShielded = transaction.contractType === ContractType.ShieldedTransferContract;
    const { refusesShielded, freezesExchangeTrades } = this.state.rules.release.rules;
    if (isShielded && refusesShielded && !this.state.properties.isOn('ALLOW_SHIELDED_TRANSACTION')) {
      refuse('ShieldedTransferContract is not supported.');
    }
    if (isShielded && !refusesShielded && !this.options.allowsShielded) return transaction;
    if (freezesExchangeTrades && isFrozenTrade(this.state, transaction)) refuseTrade();
    if (!item.isVerified) validateSignature(this.state, transaction);
    item.isVerified = true;
    if (isShielded && this.shielded >= SHIELDED_MAX) return transaction;
    if (this.base === undefined) {
      this.base = this.state.mark();
      this.snapshots.openPending();
      this.notifyChanged();
    }
    const mark = this.state.mark();
    let pending: PendingTransaction;
    this.snapshots.open();
    try {
      const context = { transaction, block: undefined };
      const started = performance.now();
      const { info, resultCode } = executeTransaction(this.executor, this.state, context, { isVerified: true });
      this.observer?.executed(transaction, (performance.now() - started) / 1000, false);
      this.executed.add(transaction.idHex);
      this.trackPermissionChange(transaction);
      pending = { ...item, transaction: withResult(this.state, transaction, resultCode), order: info.fee };
      this.pending.add(pending);
      if (isShielded) this.shielded++;
    } catch (error) {
      this.state.revertTo(mark);
      throw error;
    } finally {
      this.snapshots.close();
    }
    // If a listener throws, the transaction stays in the mempool, with its effects.
    for (const listener of this.listeners) listener.admitted(pending, mark);
    return pending.transaction;
  }

  /** Removes the parts of a new transaction that the emulated release does not store. */
  private trimmed(item: PendingTransaction): PendingTransaction {
    const { limitsPending, stripsUnknown } = this.state.rules.release.rules;
    const limited = limitsPending ? withoutSurplusResults(item.transaction) : item.transaction;
    const transaction = stripsUnknown ? withoutUnknown(limited) : limited;
    return transaction === item.transaction ? item : { ...item, transaction };
  }
}

/** Returns true if the contract type changes permissions. Reference: Manager.isMultiSignTransaction. */
export function changesPermission({ contractType }: DecodedTransaction): boolean {
  return contractType === ContractType.AccountPermissionUpdateContract;
}

function hasSameSignatures({ message: a }: DecodedTransaction, { message: b }: DecodedTransaction): boolean {
  return (
    a.signature.length === b.signature.length &&
    a.signature.every((bytes, at) => equalBytes(bytes, itemAt(b.signature, at)))
  );
}

/**
 * Returns the transaction with its result code. Adds the code only if the chain has enabled contracts.
 * Reference: TransactionCapsule.setResultCode.
 */
function withResult(state: State, transaction: DecodedTransaction, resultCode: number): DecodedTransaction {
  if (!state.properties.isOn('ALLOW_CREATION_OF_CONTRACTS')) return transaction;
  const [first, ...others] = transaction.message.ret;
  const result = new TransactionResult(first);
  result.contractRet = resultCode;
  return withResults(transaction, [result, ...others]);
}
