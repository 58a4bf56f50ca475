import { TransactionRet } from '../codec/generated/messages.js';
import { present } from '../primitives/assert.js';
import { toHex } from '../primitives/bytes.js';
import type { WriterLedger } from '../projections/ledger/writer-ledger.js';
import type { RowChange } from '../projections/state/state-reader.js';
import { checkContents } from '../state-transition/block/check-contents.js';
import { type DecodedBlock, decodeBlock, sumsOfBlock } from '../state-transition/block/decoded-block.js';
import { type EncodedBlock, encodedOf, readEncodedBlock } from '../state-transition/block/encoded-block.js';
import { type BlockExecutor, type BlockOutcome, executeBlock } from '../state-transition/block/execute-block.js';
import { activeWitnesses } from '../state-transition/consensus/schedule.js';
import type { ChainRules } from '../state-transition/state/chain-rules.js';
import { State } from '../state-transition/state/state.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import type { CanonicalChain } from '../state-transition/transactions/execute-transaction.js';
import type { SmartContractMachine } from '../state-transition/transactions/smart-contract-machine.js';
import type { FindSigner } from '../state-transition/transactions/validate-signature.js';
import type { ChainListener, ChainStopwatch } from './chain-listener.js';
import { runFirstStart } from './first-start.js';
import {
  encodeInternalTransactions,
  type ShownInternalTransactions,
  showInternalTransactions,
} from './internal-transactions.js';
import { Mempool, type MempoolOptions } from './mempool.js';
import { RecentBlocks } from './recent-blocks.js';
import { RejectedBlocks } from './rejected-blocks.js';
import { ReleaseWatch } from './release-watch.js';
import { type ReorgChain, reorgTo } from './reorg.js';
import { SnapshotWindow } from './snapshot-window.js';

interface ChainOptions {
  readonly ledger: WriterLedger;
  readonly rules: ChainRules;
  readonly machine: SmartContractMachine;
  readonly pool: MempoolOptions;
  /**
   * Kinds of internal transactions that receipts include. The log always stores all kinds. Set by `vm.saveInternalTx`
   * and `vm.saveFeaturedInternalTx`.
   */
  readonly internalTransactions: ShownInternalTransactions;
}

export interface ImportOptions {
  /**
   * True to skip the checks of the signatures and of the merkle root. Set for blocks of this node and of a test driver.
   * A solidity node also sets it for blocks of its trusted node.
   */
  readonly isOwn?: boolean;
  /** Returns the signer of a signature. A signature worker may have recovered the signer already. */
  readonly findSigner?: FindSigner;
}

/**
 * The canonical chain: validates blocks, appends them to the log and follows the longest branch. It is the only writer
 * of log and state. Reference: Manager.pushBlock, switchFork, eraseBlock.
 */
export class Chain {
  readonly ledger: WriterLedger;
  readonly state: State;
  recent: RecentBlocks;
  readonly mempool: Mempool;
  /** Counts the state snapshots that java-tron would have in memory, because their states are not on its disk yet. */
  readonly snapshots: SnapshotWindow;
  readonly executor: BlockExecutor;
  readonly listeners = new Set<ChainListener>();
  /** Receives durations of operations. Undefined if metrics are off. */
  stopwatch: ChainStopwatch | undefined;
  /** Detects that the network moves to a release newer than the emulated one. */
  readonly watch: ReleaseWatch;
  /**
   * Maximum solidified height that is written to the log; undefined for no limit. Blocks above this height can still be
   * reverted, even if the rules consider them solidified.
   */
  solidifiedMax: number | undefined;
  private readonly rejected: RejectedBlocks;
  private reorging = false;
  /**
   * True after the start and after a reverted block. The next block then first runs the migrations of `runFirstStart`.
   */
  private isFresh = true;
  private readonly options: ChainOptions;

  constructor(options: ChainOptions) {
    const { ledger, rules, machine } = options;
    this.options = options;
    this.ledger = ledger;
    this.state = new State(ledger.head, rules);
    this.watch = new ReleaseWatch(this.state);
    this.executor = { chain: this.chainView(), machine, parentStateRoot: () => this.headStateRoot() };
    const { headNumber } = ledger.position;
    this.snapshots = new SnapshotWindow(Math.min(headNumber, headNumber - this.solidifiedNumber + 1));
    this.mempool = new Mempool(this.executor, this.state, this.snapshots, options.pool);
    const { state, executor } = this;
    // java-tron has one snapshot for the block in execution, and one for each block before it that is not on disk yet.
    state.flushedNumber = () => ledger.position.headNumber + 1 - this.snapshots.size;
    this.rejected = new RejectedBlocks({ executor, state, ledger });
    this.recent = new RecentBlocks(this.storedHeader(headNumber));
    this.refillRecent();
  }

  /** True during a reorg. */
  get isReorging(): boolean {
    return this.reorging;
  }

  /**
   * Solidified block number in the state. It can decrease in a reorg. The solidified height in the log never decreases.
   */
  get solidifiedNumber(): number {
    return this.state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
  }

  /** Height of the newest block that java-tron would have on disk now. Must not be read while a block is executed. */
  get storedNumber(): number {
    return Math.max(0, this.ledger.position.headNumber - this.snapshots.blocks);
  }

  /**
   * Imports a block: executes it on top of the head, stores it on a side branch, or reorgs to its branch. Ignores a
   * known block that is not above the head. Afterwards, pending transactions are queued for execution again. The block
   * is on disk after `ledger.flush()`.
   * @throws {ChainError} the block is invalid
   * @throws {UndecidableError} this node cannot determine the result of a transaction
   * @throws {TronError} STORAGE_FULL, STORAGE_FAILED: earlier blocks could not be flushed
   */
  importBlock(block: DecodedBlock, options: ImportOptions = {}): void {
    this.notify((listener) => listener.offered?.(block));
    const { headNumber } = this.ledger.position;
    if (block.number <= headNumber && this.recent.get(block.idHex) !== undefined) return;
    const lap = createLap();
    const isVerified = this.mempool.alreadyVerified();
    const verified = new Set(block.transactions.filter(isVerified));
    this.mempool.resetToHead();
    let isOnHead: boolean;
    try {
      const reason = this.rejected.received(block);
      if (reason !== undefined) this.notify((listener) => listener.outdated?.(reason));
      isOnHead = this.follow(block, options, verified);
    } finally {
      this.mempool.demotePending();
    }
    if (!isOnHead) return;
    this.mempool.clearChangedOwners();
    this.stopwatch?.pushed(lap());
  }

  /** Reverts the head block. Its transactions are not added to the mempool. */
  revertHead(): void {
    this.mempool.clear();
    const block = this.revertHeadBlock();
    this.recent.pop();
    this.notify((listener) => listener.reverted?.(block));
  }

  /**
   * Reverts all blocks above `height`, even solidified blocks. The list of recent blocks is then the same as in
   * a node that started at `height`.
   */
  rollback(height: number): void {
    this.mempool.clear();
    try {
      while (this.ledger.position.headNumber > height) {
        const block = this.revertHeadBlock();
        this.notify((listener) => listener.reverted?.(block));
      }
    } finally {
      this.recent = new RecentBlocks(this.storedHeader(this.ledger.position.headNumber));
      this.refillRecent();
    }
  }

  /** Account state root in the head's header; empty if the header has none. */
  headStateRoot(): Uint8Array {
    return this.storedHeader(this.ledger.position.headNumber).raw.accountStateRoot;
  }

  /** Returns the decoded canonical block from the log, without the effects of pending transactions. */
  storedBlock(number: number): DecodedBlock {
    return decodeBlock(this.storedBytes(number));
  }

  /** Returns a canonical block from the log with only its header decoded. */
  storedHeader(number: number): EncodedBlock {
    return readEncodedBlock(this.storedBytes(number));
  }

  private storedBytes(number: number): Uint8Array {
    return present(this.ledger.block(number), 'callers name a canonical block').block;
  }

  /**
   * Notifies listeners of a block that a read replica has appended to the ledger. Does not execute the block.
   * @param isReorging true if the block is part of a reorg
   */
  followed(block: DecodedBlock, results: TransactionRet, isReorging: boolean): void {
    if (isReorging && !this.reorging) this.notify((listener) => listener.forked?.(false));
    this.reorging = isReorging;
    this.state.reset();
    this.followSnapshots();
    this.notify((listener) => listener.applied?.(block, results));
  }

  /** Notifies listeners of a block that a read replica has reverted in the ledger. */
  unfollowed(block: DecodedBlock): void {
    this.state.resetBranch();
    this.followSnapshots();
    this.notify((listener) => listener.reverted?.(block));
  }

  private followSnapshots(): void {
    this.snapshots.follow(this.ledger.position.headNumber - this.solidifiedNumber);
  }

  private chainView(): CanonicalChain {
    const { ledger } = this;
    return {
      hasTransaction: ({ id }) => ledger.hasTransaction(id),
      headId: () => ledger.position.headId,
      solidifiedId: () =>
        ledger.blockIdAt(this.solidifiedNumber) ?? present(ledger.blockIdAt(0), 'every chain has a genesis'),
      recentBlockId: (low) => ledger.recentBlockId(low),
    };
  }

  private follow(block: DecodedBlock, options: ImportOptions, verified: ReadonlySet<DecodedTransaction>): boolean {
    checkContents(block, this.state.rules.release.texts, options.isOwn === true);
    const { headNumber, headId } = this.ledger.position;
    const isActive = activeWitnesses(this.state).includes(block.witness);
    const newest = this.recent.push(encodedOf(block), toHex(headId), isActive);
    if (newest.number <= headNumber) return false;
    if (newest.parentIdHex !== toHex(headId)) {
      this.followBranch(newest, options);
      return false;
    }
    try {
      this.apply(newest.idHex === block.idHex ? block : decodeBlock(newest.bytes), options, verified);
    } catch (error) {
      // If only a listener failed, the block is stored, and the next block needs it as its parent.
      if (toHex(this.ledger.position.headId) !== block.idHex) this.recent.remove(block.idHex);
      throw error;
    }
    return true;
  }

  private followBranch(target: EncodedBlock, options: ImportOptions): void {
    this.reorging = true;
    this.notify((listener) => listener.forked?.(false));
    try {
      reorgTo(this.reorgChain(options), target);
    } catch (error) {
      this.notify((listener) => listener.forked?.(true));
      throw error;
    } finally {
      this.reorging = false;
    }
  }

  private reorgChain(options: ImportOptions): ReorgChain {
    const { state, recent, ledger, mempool } = this;
    return {
      state,
      recent,
      headId: () => ledger.position.headId,
      revertHead: () => {
        const reverted = this.revertHeadBlock();
        recent.pop();
        mempool.reinjectFrom(reverted);
        this.notify((listener) => listener.reverted?.(reverted));
      },
      apply: (block) => this.apply(block, options, new Set()),
      reapply: (block) => this.apply(block, {}, new Set()),
    };
  }

  private apply(block: DecodedBlock, options: ImportOptions, verified: ReadonlySet<DecodedTransaction>): void {
    const { state, ledger } = this;
    if (this.isFresh) runFirstStart(state, ledger.head);
    this.isFresh = false;
    const mark = state.mark();
    const lap = createLap();
    this.snapshots.open();
    let isCommitted = false;
    try {
      const outcome = executeBlock(this.executor, state, block, {
        isOwn: options.isOwn === true,
        isVerified: (transaction) => verified.has(transaction),
        onSigned: () => this.stopwatch?.signed(lap()),
        onExecuted: (transaction) => {
          this.mempool.trackPermissionChange(transaction);
          this.stopwatch?.executed(transaction, lap());
        },
        ...(options.findSigner === undefined ? {} : { findSigner: options.findSigner }),
      });
      // Maximum number of snapshots: one per unsolidified block, plus one. A solidity node needs one more snapshot,
      // because it marks a block as solidified only after the execution of the block.
      const open = block.number - this.solidifiedNumber + (state.rules.isSolidityNode ? 2 : 1);
      this.recent.setCapacity(open);
      this.snapshots.limit(open);
      const changes = state.commit();
      isCommitted = true;
      this.append(block, changes, outcome);
      for (const listener of this.listeners) listener.applied?.(block, outcome.results);
      if (this.watch.concerns(block)) this.warnOfNewerRules();
    } catch (error) {
      if (ledger.position.headNumber !== block.number) {
        // A commit clears the journal of the state, so the rows of the parent are read from the ledger.
        if (isCommitted) this.rereadState();
        else state.revertTo(mark);
        this.snapshots.close();
      }
      state.trace = undefined;
      if (options.isOwn !== true && ledger.position.headNumber !== block.number) this.reportRejectedBlock(block, error);
      throw error;
    }
  }

  private reportRejectedBlock(block: DecodedBlock, error: unknown): void {
    const report = this.rejected.examine(block, error);
    if (report === undefined) return;
    this.notify((listener) => listener.differs?.(report));
    const reason = this.watch.whyRefused(block);
    if (reason !== undefined) this.notify((listener) => listener.outdated?.(reason));
  }

  /**
   * Notifies listeners if the network uses rules that the emulated release does not know. Each proposal or block
   * version is reported once.
   */
  warnOfNewerRules(): void {
    const warning = this.watch.warning();
    if (warning !== undefined) this.notify((listener) => listener.newerRelease?.(warning));
  }

  private notify(say: (listener: ChainListener) => void): void {
    for (const listener of this.listeners) say(listener);
  }

  private append(block: DecodedBlock, changes: RowChange[], outcome: BlockOutcome): void {
    const { ledger } = this;
    const number = Math.min(this.solidifiedNumber, this.solidifiedMax ?? Number.POSITIVE_INFINITY);
    const solidifiedId =
      number === block.number ? block.id : present(ledger.blockIdAt(number), 'a solidified block is canonical');
    showInternalTransactions(outcome, this.options.internalTransactions);
    ledger.append({
      number: block.number,
      id: block.id,
      parentId: ledger.position.headId,
      bytes: block.bytes,
      sums: sumsOfBlock(block),
      results: block.transactions.length === 0 ? new Uint8Array(0) : TransactionRet.encode(outcome.results),
      transactionIds: block.transactions.map(({ id }) => id),
      changes,
      internalTransactions: encodeInternalTransactions(outcome.internalTransactions),
      solidified: { number, id: solidifiedId },
      oldestReachable: this.recent.lowest,
    });
  }

  /** Discards all decoded rows, so that the state is read from the ledger again. */
  private rereadState(): void {
    this.state.resetBranch();
    this.isFresh = true;
  }

  /** Reverts the head. The caller notifies the listeners last, because a listener may throw. */
  private revertHeadBlock(): DecodedBlock {
    const block = this.storedBlock(this.ledger.position.headNumber);
    this.ledger.revert();
    this.snapshots.close();
    this.rereadState();
    return block;
  }

  /**
   * Adds the unsolidified canonical blocks of the log to the recent blocks, so that a reorg is possible at once. After
   * a start, java-tron knows only its head.
   */
  private refillRecent(): void {
    const { headNumber } = this.ledger.position;
    this.recent.setCapacity(headNumber - this.solidifiedNumber + 1);
    // A branch cannot start below the first block of the log, because earlier blocks cannot be reverted.
    const lowest = Math.max(this.ledger.startNumber, headNumber - (headNumber - this.solidifiedNumber + 1));
    for (let number = headNumber - 1; number >= lowest; number--) this.recent.addOlder(this.storedHeader(number));
  }
}

/**
 * Returns a stopwatch: a function that returns the seconds since its previous call. The first call returns the seconds
 * since the creation.
 */
function createLap(): () => number {
  let lastMs = performance.now();
  return () => {
    const startedMs = lastMs;
    lastMs = performance.now();
    return (lastMs - startedMs) / 1000;
  };
}
