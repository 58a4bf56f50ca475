import type { Observable } from 'rxjs';
import type { Transaction } from '../../codec/generated/messages.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { ChainRules } from '../../state-transition/state/chain-rules.js';
import type { State } from '../../state-transition/state/state.js';
import type { AnyTable } from '../../state-transition/state/table.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';

/** A pending transaction. */
export interface PendingTransactions {
  readonly idHex: string;
  readonly message: Transaction;
}

/** Source of an API context. It is the chain itself, or a copy of its data in another thread. */
export interface ChainSource {
  /** Read-only access. */
  readonly ledger: Ledger;
  readonly rules: ChainRules;
  /**
   * Returns the state of the head with the effects of pending transactions. The result is valid only until the next
   * turn of the event loop.
   */
  head(): State;
  /** Number that changes whenever the result of `head()` changes. Undefined if the source has no version. */
  readonly headVersion?: number;
  /** Returns the hex keys of rows that pending transactions wrote, in the order of the writes. */
  writtenKeys(table: AnyTable): Iterable<string>;
  /** Height of the newest block that java-tron would have flushed to disk; undefined if unknown. */
  readonly storedNumber?: number | undefined;
  /**
   * Number of snapshots that java-tron would have in memory: one per block, and one for pending transactions. Undefined
   * if unknown.
   */
  readonly snapshotCount?: number | undefined;
  /** Returns the pending transactions in queue order. */
  pending(): readonly PendingTransactions[];
  /**
   * Returns the transactions that will be executed again on top of a new head: transactions that were pending, and
   * those of reverted blocks.
   */
  repushed(): readonly PendingTransactions[];
  /** Emits when the set of pending transactions changes. */
  readonly pendingChanges: Observable<void>;
  /** Verifies a transaction and adds it to the mempool. @throws {ChainError} the transaction is rejected */
  readonly submit: (transaction: DecodedTransaction) => Promise<void>;
}
