/** Longer requests are rare, and each is another. */
const REQUEST_BYTES_MAX = 256;
/** Longer replies take their time in being sent; a few of them would take the place of all others. */
const REPLY_BYTES_MAX = 65_536;
/** Replies and their keys of one view: the accounts and blocks that everybody asks for between two blocks. */
const ALL_BYTES_MAX = 8 * 2 ** 20;
/** Beside its bytes, what a reply takes here. */
const ENTRY_BYTES = 200;
/**
 * Replies to questions of one view. Wallets and explorers ask for the same accounts and blocks between two blocks over and
 * over: as long as nothing in the view has changed, the bytes are those that were sent before.
 */
export class KnownReplies {
    view;
    replies = new Map();
    bytes = 0;
    /** @param run makes the reply when it is not known; a refusal is made again each time */
    find(view, name, request, run) {
        if (request.length > REQUEST_BYTES_MAX)
            return run();
        if (view !== this.view)
            this.begin(view);
        const key = `${name} ${Buffer.from(request.buffer, request.byteOffset, request.length).toString('latin1')}`;
        const known = this.replies.get(key);
        if (known !== undefined)
            return known;
        const reply = run();
        if (!(reply instanceof Promise) && reply.status === 0 && reply.bytes.length <= REPLY_BYTES_MAX) {
            this.keep(key, reply);
        }
        return reply;
    }
    keep(key, reply) {
        const size = ENTRY_BYTES + key.length + reply.bytes.length;
        if (this.bytes + size > ALL_BYTES_MAX)
            this.begin(this.view);
        this.replies.set(key, reply);
        this.bytes += size;
    }
    begin(view) {
        this.view = view;
        this.bytes = 0;
        this.replies.clear();
    }
}
//# sourceMappingURL=known-replies.js.map