import type { AppliedEntry, LogEntry } from '../../../log/log-entry.js';
import { present } from '../../../primitives/assert.js';
import { toHex } from '../../../primitives/bytes.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import { ReorgTracker } from '../../../streams/follow/reorg-tracker.js';
import { solidifiedBy } from '../../../streams/follow/solid-blocks.js';
import { SolidifiedNumbers } from '../../../streams/follow/solidified-numbers.js';
import { type BlockWithReceipts, contentOfEntry, storedContent } from '../block-content.js';
import { SolidifiedNotifier } from './solidified-notifier.js';

/** A block that must be checked against the filters. Only the filters of the solidity port use `solidified`. */
interface FilterEvent {
  readonly change: 'applied' | 'reverted' | 'solidified';
  readonly content: BlockWithReceipts;
}

export interface FilterEventsOptions {
  readonly ledger: Ledger;
  /** True if the blocks of the new branch are reported after a reorg. */
  readonly reportsReapplied: boolean;
  /**
   * True on a private network whose blocks can be reverted on request, even solidified ones. The blocks after such a
   * revert do not count as a reorg, and solidified heights that were already reported are reported again.
   */
  readonly isControlled: boolean;
}

/**
 * Converts entries of the block log to events for filters. `take` must receive every entry from `fromSeq` on, which is
 * the first entry written after this object was created. Reference: Manager.postBlockFilter, postLogsFilter,
 * reApplyBlockEvents.
 */
export class FilterEvents {
  /** Sequence number of the first entry that must be passed to `take`. */
  readonly fromSeq: number;
  private readonly options: FilterEventsOptions;
  private readonly numbers: SolidifiedNumbers;
  private readonly reorgs: ReorgTracker;
  private readonly notifier: SolidifiedNotifier;
  /** Sequence numbers of the blocks that the current reorg has applied since its last revert. */
  private branch: number[] = [];

  constructor(options: FilterEventsOptions) {
    const { ledger } = options;
    const { seq, headNumber: number, headId } = ledger.position;
    const head = { seq: ledger.entryOfId(headId)?.seq ?? seq, number, id: toHex(headId) };
    this.options = options;
    this.fromSeq = seq + 1;
    this.numbers = new SolidifiedNumbers(ledger, head);
    this.reorgs = new ReorgTracker(head);
    this.notifier = new SolidifiedNotifier(this.numbers.now);
  }

  /** Yields the events of the next entry. */
  *take(entry: LogEntry): Generator<FilterEvent> {
    if (entry.kind === 'applied') yield* this.applied(entry);
    else if (entry.kind === 'reverted') yield this.reverted(entry);
    else if (entry.kind === 'solidified') this.numbers.solidified(entry.number);
  }

  private *applied(entry: AppliedEntry): Generator<FilterEvent> {
    const { ledger, isControlled } = this.options;
    this.numbers.applied(entry);
    const solidified = solidifiedBy(ledger, entry) ?? this.numbers.now;
    if (!isControlled) this.reorgs.applied(entry.number, entry.id);
    if (this.reorgs.isReorging) {
      this.notifier.changed(solidified);
      this.branch.push(entry.seq);
      yield* this.reapplied();
      return;
    }
    yield { change: 'applied', content: contentOfEntry(entry) };
    for (const number of this.notifier.applied(solidified)) {
      const content = storedContent(ledger, number);
      if (content !== undefined) yield { change: 'solidified', content };
    }
  }

  /**
   * Yields the blocks that a reorg applied, when the reorg is complete. If the new branch failed, yields the reapplied
   * blocks of the old branch, which java-tron does not report.
   */
  private *reapplied(): Generator<FilterEvent> {
    const { branch } = this;
    if (this.reorgs.isUnderWay) return;
    this.branch = [];
    if (!this.options.reportsReapplied) return;
    for (const seq of branch)
      yield { change: 'applied', content: contentOfEntry(this.options.ledger.entry(seq) as AppliedEntry) };
  }

  private reverted({ id, number }: Extract<LogEntry, { kind: 'reverted' }>): FilterEvent {
    const { ledger, isControlled } = this.options;
    this.branch = [];
    this.numbers.reverted(number);
    this.notifier.changed(this.numbers.now);
    if (isControlled) this.notifier.reverted(number - 1);
    else this.reorgs.reverted();
    const block = present(ledger.entryOfId(id), 'the log has an entry for this block');
    return { change: 'reverted', content: contentOfEntry(block) };
  }
}
