import { Subject } from 'rxjs';
import { contentOf } from '../../api/jsonrpc/block-results.js';
import { Transaction } from '../../log/codec/generated/messages.js';
import { toHex } from '../../log/domain/bytes.js';
import { OverlaidState } from '../../projections/overlaid-state.js';
import { ChainError } from '../../vm/errors.js';
import { State } from '../../vm/state/state.js';
/** The chain as its own thread tells of it, over the rows on the disk. */
export class RemoteChain {
    ledger;
    rules;
    blockNews = new Subject();
    waitingChanges = new Subject();
    overlay;
    state;
    post;
    tickets = new Map();
    nextTicket = 0;
    waiting = [];
    takenBackOnes = [];
    rows = [];
    /** Entry that `rows` lie over, and the one that the decoded rows were read at; -1: read them again. */
    rowsSeq = -1;
    stateSeq = -1;
    solidified;
    version = 0;
    constructor({ ledger, rules, submit }) {
        this.ledger = ledger;
        this.rules = rules;
        this.post = submit;
        this.overlay = new OverlaidState(ledger.head);
        this.state = new State(this.overlay, rules);
        this.solidified = this.head().properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
    }
    head() {
        const { seq } = this.ledger.position;
        if (seq !== this.stateSeq) {
            this.stateSeq = seq;
            this.version++;
            this.overlay.clear();
            // A block that is on the disk already took the effects away; what it left is told in a moment.
            if (this.rowsSeq === seq)
                this.overlay.put(this.rows);
            this.state.reset();
        }
        return this.state;
    }
    get headVersion() {
        return this.version;
    }
    *writtenKeys({ store }) {
        if (this.rowsSeq !== this.ledger.position.seq)
            return;
        const keys = new Set();
        for (const row of this.rows)
            if (row.store === store)
                keys.add(toHex(row.key));
        yield* keys;
    }
    pending() {
        return this.waiting;
    }
    takenBack() {
        return this.takenBackOnes;
    }
    submit(transaction) {
        const ticket = this.nextTicket++;
        return new Promise((resolve, reject) => {
            this.tickets.set(ticket, { resolve, reject });
            this.post(ticket, Transaction.encode(transaction));
        });
    }
    take(message) {
        if (message.kind === 'waiting')
            this.takeWaiting(message);
        if (message.kind === 'blocks')
            this.takeBlocks(message);
        if (message.kind === 'verdict')
            this.takeVerdict(message);
    }
    /** All that was told of what waits, for a thread that begins now. */
    news() {
        const { rows, rowsSeq: seq } = this;
        const [pending, takenBack] = [this.waiting.map(({ given }) => given), this.takenBackOnes.map(({ given }) => given)];
        return { kind: 'waiting', seq, isWhole: true, pending, takenBack, rows };
    }
    takeWaiting({ seq, isWhole, pending, takenBack, rows }) {
        if (isWhole) {
            this.waiting = pending.map(waitingOf);
            this.takenBackOnes = takenBack.map(waitingOf);
            this.rows = [...rows];
        }
        else {
            this.waiting.push(...pending.map(waitingOf));
            this.rows.push(...rows);
        }
        this.rowsSeq = seq;
        this.stateSeq = -1;
        this.waitingChanges.next();
    }
    takeBlocks({ blocks }) {
        for (const move of blocks) {
            // Asking for the position is what makes the ledger look at the disk.
            const entry = this.ledger.position && this.ledger.entryOfId(move.id);
            if (entry !== undefined && move.change !== 'switched') {
                this.blockNews.next({ change: move.change, content: contentOf({ block: () => entry }, entry.number) });
            }
            while (this.solidified < move.solidified) {
                if (this.ledger.block(++this.solidified) === undefined)
                    continue;
                this.blockNews.next({ change: 'solidified', content: contentOf(this.ledger, this.solidified) });
            }
        }
    }
    takeVerdict({ ticket, refusal }) {
        const waiting = this.tickets.get(ticket);
        this.tickets.delete(ticket);
        if (refusal === undefined)
            waiting?.resolve();
        else
            waiting?.reject(errorOf(refusal));
    }
}
function errorOf({ exception, text, checked }) {
    if (exception === undefined)
        return new Error(text ?? '');
    return new ChainError(exception, text, { checked: checked ?? true });
}
/** Decoded when somebody asks for it. */
function waitingOf(given) {
    let message;
    return {
        given,
        idHex: given.idHex,
        get message() {
            message ??= Transaction.decode(given.bytes);
            return message;
        },
    };
}
//# sourceMappingURL=remote-chain.js.map