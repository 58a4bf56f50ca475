import type { BlockLog } from '../../log/block-log.js';
import type { LogNotifier } from '../../log/entry-stream.js';
import { NO_HASH } from '../../log/log-entry.js';
import { copyBytes, equalBytes } from '../../primitives/bytes.js';
import type { StateDatabase } from '../state/state-database.js';
import type { Position } from './ledger-types.js';

interface TurnSnapshotParts {
  readonly blocks: BlockLog;
  readonly state: StateDatabase;
  readonly bell: LogNotifier;
  /** The bell is the writer's, which rings with each commit. */
  readonly isRung: boolean;
}

/**
 * In a ledger that follows: the snapshot of log and state that all questions of one turn of the event loop are answered
 * from.
 */
export class SliceSnapshot {
  private readonly parts: TurnSnapshotParts;
  private cursor: Uint8Array = NO_HASH;
  private rings = -1;
  private isFresh = false;
  private readonly endTurn = (): void => {
    this.isFresh = false;
  };

  constructor(parts: TurnSnapshotParts) {
    this.parts = parts;
  }

  /** Once in a turn, and a snapshot is held until the writer's bell rings. @returns whether it may show another head */
  take({ headNumber, headId }: Position): boolean {
    if (this.isFresh) return false;
    this.isFresh = true;
    queueMicrotask(this.endTurn);
    const { blocks, state, bell, isRung } = this.parts;
    const isHeld = state.environment.isHeld && blocks.environment.isHeld;
    if (isHeld && bell.rings === this.rings && isRung) return false;
    this.rings = bell.rings;
    state.environment.hold();
    blocks.environment.hold();
    const head = blocks.index.heightRow(headNumber);
    return !(state.isAt(this.cursor) && head && equalBytes(head.id, headId));
  }

  /** The ledger has gone on to what the snapshot shows. */
  seen(): void {
    this.cursor = copyBytes(this.parts.state.cursorBytes() as Uint8Array);
  }
}
