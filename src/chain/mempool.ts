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
  /** `node.openTransactionSort`: the better paid first. */
  readonly isSorted: boolean;
  /** ms after which a waiting transaction is forgotten. `node.pendingTransactionTimeout` */
  readonly timeoutMs: number;
  /** `node.allowShieldedTransactionApi` and its kin: off, shielded transactions are accepted silently and dropped. */
  readonly allowsShielded: boolean;
  readonly now: () => number;
}

/** Who hears of what waits. */
export interface MempoolListener {
  /** One more waits; `mark` is where its effects begin. */
  admitted(waiting: PendingTransaction, mark: Mark): void;
  /** Anything else changed: the queues, or effects were taken off the head. */
  changed(): void;
}

/** Who counts what becomes of transactions. */
interface PoolObserver {
  refused(error: ChainError): void;
  timedOut(count: number): void;
  /** @param isPacked for a block */
  executed(transaction: DecodedTransaction, seconds: number, isPacked: boolean): void;
}

/** Shielded transactions that may wait at once. Reference: Manager.shieldedTransInPendingMaxCounts. */
const SHIELDED_MAX = 10;

/**
 * Transactions that wait for a block, executed on top of the head in the order of their arrival: what the full-node
 * APIs answer is the head with these effects. A block takes the effects away; what still waits is offered again after
 * it.
 * Reference: Manager.pushTransaction, PendingManager, Manager.rePush.
 */
export class Mempool {
  readonly pending: TransactionQueue;
  readonly repush: TransactionQueue;
  /** Owners whose permissions an executed transaction changed: theirs are checked again. Reference: ownerAddressSet. */
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

  constructor(executor: Executor, state: State, held: SnapshotWindow, options: MempoolOptions) {
    this.options = options;
    this.state = state;
    this.snapshots = held;
    this.pending = new TransactionQueue(options.isSorted);
    this.repush = new TransactionQueue(options.isSorted);
    const { chain } = executor;
    const hasTransaction = (transaction: DecodedTransaction): boolean =>
      this.executed.has(transaction.idHex) || chain.hasTransaction(transaction);
    this.executor = { ...executor, chain: { ...chain, hasTransaction } };
  }

  /** As `push`, for what a client or a peer sends: it must outlast the next slot. @throws {ChainError} every refusal */
  validateAndAdd(transaction: DecodedTransaction): DecodedTransaction {
    if (this.state.rules.release.rules.limitsWaiting) checkNextSlot(this.state, transaction.raw.expiration);
    return this.add(transaction);
  }

  /**
   * Checks a transaction on top of what waits, executes it there, and lets it wait. @returns it with its result, as it
   * waits
   * @throws {ChainError} every refusal
   */
  add(transaction: DecodedTransaction): DecodedTransaction {
    try {
      return this.insert({ transaction, order: 0n, timeMs: this.options.now(), isVerified: false });
    } catch (error) {
      if (error instanceof ChainError) this.observer?.refused(error);
      throw error;
    }
  }

  /** Takes the effects of waiting transactions off the head: before a block, before production. */
  resetToHead(): void {
    if (this.base !== undefined) {
      this.state.revertTo(this.base);
      this.snapshots.closeWaiting();
    }
    this.base = undefined;
    this.executed.clear();
    this.notifyChanged();
  }

  /** Rows that what waits has written, as they would be stored. */
  effects(): WrittenRow[] {
    return this.base === undefined ? [] : this.state.writtenSince(this.base);
  }

  /** After a block, accepted or not: what waited, and what undone blocks held, is to be offered again. */
  demotePending(): void {
    const now = this.options.now();
    const isFresh = ({ timeMs }: PendingTransaction): boolean => now - timeMs < this.options.timeoutMs;
    const old = [...this.repush.values()].filter(({ timeMs }) => now - timeMs > this.options.timeoutMs);
    for (const item of old) this.repush.remove(item);
    const waited = [...this.pending.values()];
    const kept = waited.filter(isFresh);
    for (const item of kept) this.repush.add(item);
    this.observer?.timedOut(old.length + waited.length - kept.length);
    this.pending.clear();
    for (const transaction of this.revertedTransactions) {
      this.repush.add({ transaction, order: 0n, timeMs: now, isVerified: false });
    }
    this.revertedTransactions = [];
    this.shielded = 0;
    this.notifyChanged();
  }

  /** Transactions of a block that a switch took back. */
  reinjectFrom({ transactions }: DecodedBlock): void {
    this.revertedTransactions.push(...transactions);
  }

  /** Offers everything in the second queue again, in order; what is refused now is gone. */
  reinject(): void {
    const { comparesSignatures } = this.state.rules.release.rules;
    for (let item = this.repush.peek(); item !== undefined; item = this.repush.peek()) {
      try {
        if (comparesSignatures && this.changedOwners.has(item.transaction.owner)) item.isVerified = false;
        if (!this.executor.chain.hasTransaction(item.transaction)) this.insert(item);
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        this.observer?.refused(error);
      } finally {
        this.repush.remove(item);
      }
    }
    this.notifyChanged();
  }

  /** Whether a transaction of a block waits here and needs no second check. Reference: Manager.getVerifyTxs. */
  alreadyVerified(): (transaction: DecodedTransaction) => boolean {
    const { comparesSignatures } = this.state.rules.release.rules;
    const waiting = new Map<string, DecodedTransaction>();
    const owners = new Set<Address>(comparesSignatures ? this.changedOwners : []);
    for (const { transaction } of this.pending.values()) {
      if (changesPermission(transaction)) owners.add(transaction.owner);
      else waiting.set(transaction.idHex, transaction);
    }
    return (transaction) => {
      const checked = waiting.get(transaction.idHex);
      if (checked === undefined || owners.has(transaction.owner)) return false;
      return !comparesSignatures || hasSameSignatures(transaction, checked);
    };
  }

  /**
   * A transaction was executed, here or in a block: by whom its owner's signatures are given may be another matter now.
   */
  trackPermissionChange(transaction: DecodedTransaction): void {
    if (changesPermission(transaction)) this.changedOwners.add(transaction.owner);
  }

  /** After a block: only owners of transactions that still wait stay marked. */
  forgetChangedOwners(): void {
    const kept = this.repush.values().map(({ transaction }) => transaction.owner);
    const known = new Set(this.changedOwners);
    this.changedOwners.clear();
    for (const owner of kept) if (known.has(owner)) this.changedOwners.add(owner);
  }

  clear(): void {
    this.resetToHead();
    this.pending.clear();
    this.repush.clear();
    this.revertedTransactions = [];
    this.notifyChanged();
  }

  /** Packs a block on the head, on which nothing waits meanwhile. */
  packing<T>(pack: () => T): T {
    this.snapshots.open();
    try {
      return pack();
    } finally {
      this.snapshots.close();
    }
  }

  /** Executes a transaction while a block is packed, on the caller's mark. @throws {ChainError} */
  executeForBlock(item: PendingTransaction, block: BlockContext): { execution: Execution; packed: DecodedTransaction } {
    if (this.changedOwners.has(item.transaction.owner)) item.isVerified = false;
    const { transaction } = item;
    const context = { transaction, block };
    const started = performance.now();
    // Each is tried in a state of its own.
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

  private insert(given: PendingTransaction): DecodedTransaction {
    const item = this.trimmed(given);
    const { transaction } = item;
    // Reference: Manager.isShieldedTransaction, which asks the first contract for its type before anything is checked.
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
      this.snapshots.openWaiting();
      this.notifyChanged();
    }
    const mark = this.state.mark();
    this.snapshots.open();
    try {
      const context = { transaction, block: undefined };
      const started = performance.now();
      const { info, resultCode } = executeTransaction(this.executor, this.state, context, { isVerified: true });
      this.observer?.executed(transaction, (performance.now() - started) / 1000, false);
      this.executed.add(transaction.idHex);
      this.trackPermissionChange(transaction);
      const waiting = { ...item, transaction: withResult(this.state, transaction, resultCode), order: info.fee };
      this.pending.add(waiting);
      for (const listener of this.listeners) listener.admitted(waiting, mark);
      if (isShielded) this.shielded++;
      return waiting.transaction;
    } catch (error) {
      this.state.revertTo(mark);
      throw error;
    } finally {
      this.snapshots.close();
    }
  }

  /** What is kept of a transaction that comes, by the rules of the release. */
  private trimmed(item: PendingTransaction): PendingTransaction {
    const { limitsWaiting, stripsUnknown } = this.state.rules.release.rules;
    const limited = limitsWaiting ? withoutSurplusResults(item.transaction) : item.transaction;
    const transaction = stripsUnknown ? withoutUnknown(limited) : limited;
    return transaction === item.transaction ? item : { ...item, transaction };
  }
}

/** Reference: Manager.isMultiSignTransaction. */
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
 * The transaction with its result code, which is written once contracts are enabled.
 * Reference: TransactionCapsule.setResultCode.
 */
function withResult(state: State, transaction: DecodedTransaction, resultCode: number): DecodedTransaction {
  if (!state.properties.isOn('ALLOW_CREATION_OF_CONTRACTS')) return transaction;
  const [first, ...others] = transaction.message.ret;
  const result = new TransactionResult(first);
  result.contractRet = resultCode;
  return withResults(transaction, [result, ...others]);
}
