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

/** Source of an API context: the chain itself, or a copy of its data in another thread. */
export interface ChainSource {
  /** Read-only access. */
  readonly ledger: Ledger;
  readonly rules: ChainRules;
  /**
   * Returns the state of the head with the effects of pending transactions. Valid only until the next turn of the event
   * loop.
   */
  head(): State;
  /** Changes when a call of `head()` returns a different state. Undefined if the source has no version. */
  readonly headVersion?: number;
  /** Returns the hex keys of rows that pending transactions wrote, in the order of the writes. */
  writtenKeys(table: AnyTable): Iterable<string>;
  /** Height of the newest block that java-tron would have flushed to disk; undefined if the source does not know it. */
  readonly storedNumber?: number | undefined;
  /**
   * Number of snapshots that java-tron would have in memory: one per block, and one for pending transactions. Undefined
   * if the source does not know it.
   */
  readonly snapshotCount?: number | undefined;
  /** Pending transactions in queue order, and those to execute again after a block. */
  pending(): readonly PendingTransactions[];
  repushed(): readonly PendingTransactions[];
  /** Emits when the pending transactions change. */
  readonly waitingChanges: Observable<void>;
  /** Verifies a transaction and adds it to the mempool. @throws {ChainError} */
  readonly submit: (transaction: DecodedTransaction) => Promise<void>;
}
