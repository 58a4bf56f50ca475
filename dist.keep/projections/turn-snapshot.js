import { copyBytes, equalBytes } from '../log/domain/bytes.js';
import { NO_HASH } from '../log/log-entry.js';
/** In a ledger that follows: the snapshot of log and state that all questions of one turn of the event loop are answered from. */
export class TurnSnapshot {
    parts;
    cursor = NO_HASH;
    rings = -1;
    isFresh = false;
    endTurn = () => {
        this.isFresh = false;
    };
    constructor(parts) {
        this.parts = parts;
    }
    /** Once in a turn, and a snapshot is held until the writer's bell rings. @returns whether it may show another head */
    take({ headNumber, headId }) {
        if (this.isFresh)
            return false;
        this.isFresh = true;
        queueMicrotask(this.endTurn);
        const { blocks, state, bell, isRung } = this.parts;
        const isHeld = state.environment.isHeld && blocks.environment.isHeld;
        if (isHeld && bell.rings === this.rings && isRung)
            return false;
        this.rings = bell.rings;
        state.environment.hold();
        blocks.environment.hold();
        const head = blocks.heightRow(headNumber);
        return !(state.isAt(this.cursor) && head && equalBytes(head.id, headId));
    }
    /** The ledger has gone on to what the snapshot shows. */
    seen() {
        this.cursor = copyBytes(this.parts.state.cursorBytes());
    }
}
//# sourceMappingURL=turn-snapshot.js.map