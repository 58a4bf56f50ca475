import type { BlockLog } from '../../log/block-log.js';
import { NO_HASH } from '../../log/log-entry.js';
import type { LogNotifier } from '../../log/stream/log-notifier.js';
import { copyBytes, equalBytes } from '../../primitives/bytes.js';
import type { StateDatabase } from '../state/state-database.js';
import type { Position } from './ledger-types.js';

interface TurnSnapshotParts {
  readonly blocks: BlockLog;
  readonly state: StateDatabase;
  readonly notifier: LogNotifier;
  /** True if the ledger shares the notifier of the writer, which sends a notification with each commit. */
  readonly isNotified: boolean;
}

/**
 * Snapshot of log and state for all reads in one turn of the event loop. Used by a ledger with `follows`.
 */
export class SliceSnapshot {
  private readonly parts: TurnSnapshotParts;
  private cursor: Uint8Array = NO_HASH;
  private notifications = -1;
  private isFresh = false;
  private readonly endTurn = (): void => {
    this.isFresh = false;
  };

  constructor(parts: TurnSnapshotParts) {
    this.parts = parts;
  }

  /**
   * Takes a snapshot at most once per turn, and only after a notification. @returns true if the head may have changed
   */
  take({ headNumber, headId }: Position): boolean {
    if (this.isFresh) return false;
    this.isFresh = true;
    queueMicrotask(this.endTurn);
    const { blocks, state, notifier, isNotified } = this.parts;
    const isOpen = state.environment.holdsSnapshot && blocks.environment.holdsSnapshot;
    if (isOpen && notifier.notifications === this.notifications && isNotified) return false;
    this.notifications = notifier.notifications;
    state.environment.holdSnapshot();
    blocks.environment.holdSnapshot();
    const head = blocks.index.heightRow(headNumber);
    return !(state.isAt(this.cursor) && head && equalBytes(head.id, headId));
  }

  /** Called after the ledger has refreshed to this snapshot. */
  refreshed(): void {
    this.cursor = copyBytes(this.parts.state.cursorBytes() as Uint8Array);
  }
}
