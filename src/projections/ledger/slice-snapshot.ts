import type { BlockLog } from '../../log/block-log.js';
import { NO_HASH } from '../../log/log-entry.js';
import type { LogNotifier } from '../../log/stream/log-notifier.js';
import { copyBytes, equalBytes } from '../../primitives/bytes.js';
import { Slice } from '../../primitives/slice.js';
import type { StateDatabase } from '../state/state-database.js';
import type { Position } from './ledger-types.js';

interface SliceSnapshotParts {
  readonly blocks: BlockLog;
  readonly state: StateDatabase;
  readonly notifier: LogNotifier;
  /**
   * True if the ledger shares the notifier of the writer. The newest snapshot then stays up to date until the next
   * notification.
   */
  readonly isNotified: boolean;
}

/**
 * Snapshot of log and state for all reads in one slice, which is code that runs without interruption (see `Slice`).
 * Ledgers with the option `follows` use this class.
 */
export class SliceSnapshot {
  private readonly parts: SliceSnapshotParts;
  private cursor: Uint8Array = NO_HASH;
  private notifications = -1;
  private readonly slice = new Slice();

  constructor(parts: SliceSnapshotParts) {
    this.parts = parts;
  }

  /**
   * Takes a snapshot at most once per slice. A ledger with a notifier takes one only after a notification, or if the
   * previous snapshot is closed. A ledger without notifier takes one in each slice.
   * @returns true if the head may have changed
   */
  take({ headNumber, headId }: Position): boolean {
    if (!this.slice.enter()) return false;
    const { blocks, state, notifier, isNotified } = this.parts;
    const isOpen = state.environment.holdsSnapshot && blocks.environment.holdsSnapshot;
    if (isOpen && notifier.notifications === this.notifications && isNotified) return false;
    this.notifications = notifier.notifications;
    state.environment.holdSnapshot();
    blocks.environment.holdSnapshot();
    const head = blocks.index.heightRow(headNumber);
    return !(state.isAt(this.cursor) && head && equalBytes(head.id, headId));
  }

  /** Stores the cursor of the snapshot. Must be called after the ledger has read this snapshot. */
  refreshed(): void {
    this.cursor = copyBytes(this.parts.state.cursorBytes() as Uint8Array);
  }
}
