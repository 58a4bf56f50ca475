import { Subject } from 'rxjs';
import { type ControlCall, type ControlResult, noControl } from '../../../api/network-control.js';
import { Transaction } from '../../../codec/generated/messages.js';
import { equalBytes, toHex } from '../../../primitives/bytes.js';
import { Slice } from '../../../primitives/slice.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import type { Position } from '../../../projections/ledger/ledger-types.js';
import { OverlaidState, type WrittenRow } from '../../../projections/state/overlaid-state.js';
import type { ChainRules } from '../../../state-transition/state/chain-rules.js';
import { State } from '../../../state-transition/state/state.js';
import type { AnyTable } from '../../../state-transition/state/table.js';
import type { DecodedTransaction } from '../../../state-transition/transaction.js';
import type { ChainSource, PendingTransactions } from '../../serving/chain-source.js';
import type { PendingBytes, PendingUpdate } from './messages.js';

interface RemoteChainOptions {
  /** Read-only ledger that follows the ledger of the main thread. */
  readonly ledger: Ledger;
  readonly rules: ChainRules;
  /** Submits an encoded transaction to the main thread. Rejects with a ChainError if the transaction is rejected. */
  readonly submit: (bytes: Uint8Array) => Promise<void>;
  /** Sends a control call to the main thread. Rejects with a ControlError if the call fails. */
  readonly control?: (call: ControlCall) => Promise<ControlResult>;
  /**
   * Applies the updates that the main thread has sent, but that the event loop has not delivered yet. Called before the
   * first read of each slice (code that runs without interruption). Otherwise, this thread could miss effects that
   * another API thread has already shown to the same client.
   */
  readonly receiveUpdates?: () => void;
}

/** The chain as seen from another thread: rows on disk plus the updates of the main thread. */
export class RemoteChain implements ChainSource {
  readonly ledger: Ledger;
  readonly rules: ChainRules;
  readonly pendingChanges = new Subject<void>();
  private readonly overlay: OverlaidState;
  private readonly state: State;
  private readonly options: RemoteChainOptions;
  private pendingEntries: PendingEntry[] = [];
  private repushedEntries: readonly PendingEntry[] = [];
  private rows: WrittenRow[] = [];
  /**
   * Sequence number of the log entry to which `rows` belong; −1 without rows. The rows are on top of the state at this
   * entry.
   */
  private rowsSeq = -1;
  /** Number of `rows` that `overlay` contains. */
  private overlaidRows = 0;
  private known: Pick<PendingUpdate, 'storedNumber' | 'snapshotCount'> | undefined;
  private stateSeq = -1;
  /** Head block at the log entry `stateSeq`. */
  private headBlock: Pick<Position, 'headNumber' | 'headId'> | undefined;
  private version = 0;
  private readonly slice = new Slice();

  constructor(options: RemoteChainOptions) {
    const { ledger, rules } = options;
    this.options = options;
    this.ledger = ledger;
    this.rules = rules;
    this.overlay = new OverlaidState(ledger.head);
    this.state = new State(this.overlay, rules);
  }

  head(): State {
    this.follow();
    const { position } = this.ledger;
    const { seq } = position;
    const isNewBlock = seq !== this.stateSeq;
    if (isNewBlock) {
      this.stateSeq = seq;
      this.overlay.clear();
      this.overlaidRows = 0;
    }
    // If the disk has a new block, the rows belong to an older state and must not be used. The next update has the
    // effects of the pending transactions on top of the new block.
    const hasNewRows = this.rowsSeq === seq && this.overlaidRows < this.rows.length;
    if (hasNewRows) {
      this.overlay.put(this.rows.slice(this.overlaidRows));
      this.overlaidRows = this.rows.length;
    }
    if (!isNewBlock && !hasNewRows) return this.state;
    this.version++;
    if (this.isOnBranch(this.headBlock)) this.state.reset();
    else this.state.resetBranch();
    this.headBlock = position;
    return this.state;
  }

  get headVersion(): number {
    return this.version;
  }

  *writtenKeys({ store }: AnyTable): Iterable<string> {
    this.follow();
    if (this.rowsSeq !== this.ledger.position.seq) return;
    const keys = new Set<string>();
    for (const row of this.rows) if (row.store === store) keys.add(toHex(row.key));
    yield* keys;
  }

  get storedNumber(): number | undefined {
    return this.known?.storedNumber;
  }

  get snapshotCount(): number | undefined {
    return this.known?.snapshotCount;
  }

  pending(): readonly PendingTransactions[] {
    this.follow();
    return this.pendingEntries;
  }

  repushed(): readonly PendingTransactions[] {
    this.follow();
    return this.repushedEntries;
  }

  readonly submit = ({ bytes }: DecodedTransaction): Promise<void> => this.options.submit(bytes);

  /** Sends a control call to the main thread. Rejects with a ControlError if the call fails. */
  control(call: ControlCall): Promise<ControlResult> {
    const { control } = this.options;
    return control === undefined ? Promise.reject(noControl()) : control(call);
  }

  /** Applies an update of the pending transactions. */
  apply({ seq, isWhole, pending, repushed, rows, storedNumber, snapshotCount }: PendingUpdate): void {
    if (isWhole) {
      this.pendingEntries = pending.map(pendingEntry);
      this.repushedEntries = repushed.map(pendingEntry);
      this.rows = [...rows];
    } else {
      // One call with more than 100,000 arguments overflows the stack.
      for (const sent of pending) this.pendingEntries.push(pendingEntry(sent));
      for (const row of rows) this.rows.push(row);
    }
    // An incremental update for the same log entry only adds rows. After any other update, the overlay is built
    // again.
    if (isWhole || seq !== this.rowsSeq) this.stateSeq = -1;
    this.rowsSeq = seq;
    this.known = { storedNumber, snapshotCount };
    this.pendingChanges.next();
  }

  /** Returns all pending transactions as one update, for a new thread. */
  pendingUpdate(): PendingUpdate {
    const { rows, rowsSeq: seq } = this;
    const { headNumber, solidifiedNumber } = this.ledger.position;
    const { known = { storedNumber: solidifiedNumber, snapshotCount: headNumber - solidifiedNumber } } = this;
    const pending = this.pendingEntries.map(({ sent }) => sent);
    const repushed = this.repushedEntries.map(({ sent }) => sent);
    return { seq, isWhole: true, pending, repushed, rows, ...known };
  }

  /**
   * Returns true if a block is still canonical, or if no block is given. Returns false if a reorg has reverted the
   * block.
   */
  private isOnBranch(block: Pick<Position, 'headNumber' | 'headId'> | undefined): boolean {
    if (block === undefined) return true;
    const id = this.ledger.blockIdAt(block.headNumber);
    return id !== undefined && equalBytes(id, block.headId);
  }

  /**
   * Applies updates of the main thread, at most once per slice (code that runs without interruption), so that all reads
   * of the slice see one state.
   */
  private follow(): void {
    const { receiveUpdates } = this.options;
    if (receiveUpdates !== undefined && this.slice.enter()) receiveUpdates();
  }
}

interface PendingEntry extends PendingTransactions {
  readonly sent: PendingBytes;
}

/** Decodes the transaction on first use. */
function pendingEntry(sent: PendingBytes): PendingEntry {
  let message: Transaction | undefined;
  return {
    sent,
    idHex: sent.idHex,
    get message() {
      message ??= Transaction.decode(sent.bytes);
      return message;
    },
  };
}
