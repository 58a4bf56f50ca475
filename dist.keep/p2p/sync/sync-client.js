import { BoundedCache } from '../bounded-cache.js';
import { P2pError } from '../p2p-error.js';
import { encodeItems, encodeSyncRequest } from '../wire/messages.js';
import { chainSummary } from './chain-summary.js';
import { checkChainIds } from './check-chain-ids.js';
import { SyncProgress } from './sync-progress.js';
/** Blocks that one message asks for. Reference: NetConstants.MAX_BLOCK_FETCH_PER_PEER. */
const FETCH_MAX = 100;
/** Ids that were asked of somebody. Reference: SyncService.requestBlockIds. */
const REQUESTED_MAX = 10_000;
/** ms that the thread is held by blocks before others have their turn. */
const SLICE_MS = 30;
/** ms after which what was taken is brought onto the disk while more is there to take. */
const SETTLE_MS = 250;
/**
 * Bytes of blocks that wait to be executed, above which no more are asked for: blocks may come faster than they are executed, and
 * the reference asks on until its lists of ids are empty.
 */
const WAITING_BYTES_MAX = 48 * 1024 * 1024;
/** ms between two looks for what could not be asked for, or executed, when it was noticed. Reference: SyncService.init. */
const LOOK_AGAIN_MS = 1000;
/** The same where a peer may not be asked so often. */
const LOOK_SOON_MS = 100;
/** Follows the chains of peers that are ahead. Reference: SyncService, ChainInventoryMsgHandler. */
export class SyncClient {
    options;
    requested;
    waiting = new Map();
    waitingBytes = 0;
    isProcessing = false;
    /** Since when blocks were taken that are not on the disk. */
    unsettledMs;
    timer;
    progress;
    soon;
    /** Peers that could not be asked for ids when it was time. */
    toAskForIds = new Set();
    isClosed = false;
    constructor(options) {
        const { requestLifeMs, now } = options;
        this.options = options;
        this.progress = new SyncProgress(options.log, now);
        this.requested = new BoundedCache({ entriesMax: REQUESTED_MAX, lifeMs: requestLifeMs, now });
        this.timer = setInterval(() => {
            this.process();
            this.fetch();
        }, LOOK_AGAIN_MS);
    }
    close() {
        this.isClosed = true;
        clearInterval(this.timer);
        clearTimeout(this.soon);
    }
    /** From the beginning, whatever was known of the peer's chain. */
    start(peer) {
        if (peer.isSyncing)
            return;
        peer.isSyncing = true;
        peer.needsSyncFromPeer = true;
        peer.toFetch = [];
        peer.remaining = 0;
        peer.setCommonBlock(this.options.chain.genesis);
        this.askForIds(peer);
    }
    /** The peer's answer to a summary. @throws {P2pError} BAD_MESSAGE */
    takeIds(peer, answer) {
        const { chain, batchNum, now } = this.options;
        checkChainIds(chain, peer, answer, now());
        peer.needsSyncFromPeer = true;
        peer.chainRequest = undefined;
        const { ids, remaining } = answer;
        const [first] = ids;
        if (ids.length === 1 && chain.isKnown(first)) {
            peer.isSyncing = false;
            peer.needsSyncFromPeer = false;
            peer.mayFetch = false;
            return;
        }
        while (peer.toFetch.length > 0 && peer.toFetch.at(-1)?.hex !== first?.hex)
            peer.toFetch.pop();
        peer.remaining = remaining;
        peer.toFetch.push(...ids.slice(1));
        this.skipKnown(peer);
        peer.mayFetch = true;
        const isComplete = remaining === 0 && peer.toFetch.length > 0;
        if (isComplete || (remaining !== 0 && peer.toFetch.length > batchNum))
            this.fetch();
        else
            this.askForIds(peer);
    }
    /** A block of a chain that was asked for. */
    takeBlock(peer, block) {
        peer.syncRequests.delete(block.idHex);
        peer.inProcess.add(block.idHex);
        this.waiting.set(block.idHex, { block, peer });
        this.waitingBytes += block.bytes.length;
        this.options.chain.prepare(block);
        this.process();
        if (!peer.isIdle)
            return;
        if (peer.remaining > 0 && peer.toFetch.length <= this.options.batchNum)
            this.askForIds(peer);
        else
            this.fetch();
    }
    /** What was asked of it is asked of others. */
    peerGone(peer) {
        for (const id of peer.syncRequests.keys())
            this.release(id, peer);
        for (const [id, entry] of this.waiting) {
            if (entry.peer !== peer)
                continue;
            this.forget(id);
            this.release(id, peer);
        }
        peer.toFetch = [];
        peer.syncRequests.clear();
        peer.inProcess.clear();
        this.fetch();
    }
    askForIds(peer) {
        const { chain, now, log } = this.options;
        if (peer.chainRequest !== undefined || peer.isClosed)
            return;
        if (!peer.mayAsk('ids')) {
            this.toAskForIds.add(peer);
            this.lookSoon();
            return;
        }
        try {
            const ids = chainSummary(chain, peer);
            peer.chainRequest = { ids: new Set(ids.map(({ hex }) => hex)), last: ids.at(-1), atMs: now() };
            peer.send(encodeSyncRequest(ids));
        }
        catch (error) {
            if (!(error instanceof P2pError))
                throw error;
            log.warn({ peer: peer.channel.key, reason: error.message }, 'no summary of the chain can be made');
            peer.disconnect('SYNC_FAIL');
        }
    }
    /** Asks those who may be asked now. */
    lookSoon() {
        if (this.soon !== undefined || this.isClosed)
            return;
        this.soon = setTimeout(() => {
            this.soon = undefined;
            const waiting = [...this.toAskForIds];
            this.toAskForIds.clear();
            for (const peer of waiting)
                this.askForIds(peer);
            this.fetch();
        }, LOOK_SOON_MS);
    }
    skipKnown(peer) {
        const { chain } = this.options;
        let known = 0;
        while (known < peer.toFetch.length && chain.isKnown(peer.toFetch[known]))
            known++;
        if (known === 0)
            return;
        peer.setCommonBlock(peer.toFetch[known - 1]);
        peer.toFetch = peer.toFetch.slice(known);
    }
    fetch() {
        const { peers, patience } = this.options;
        if (this.waitingBytes > WAITING_BYTES_MAX)
            return;
        for (const peer of peers.active()) {
            if (!peer.needsSyncFromPeer || !peer.isIdle || !peer.mayFetch)
                continue;
            const isFree = ({ hex }) => !this.requested.has(hex) && !peer.inProcess.has(hex);
            if (!peer.toFetch.some(isFree))
                continue;
            if (!peer.mayAsk('blocks')) {
                this.lookSoon();
                continue;
            }
            const ids = [];
            for (const id of peer.toFetch) {
                const { hex } = id;
                if (!isFree(id))
                    continue;
                this.requested.set(hex, peer);
                peer.syncRequests.set(hex, patience.now());
                ids.push(hex);
                if (ids.length >= FETCH_MAX)
                    break;
            }
            if (ids.length > 0)
                peer.send(encodeItems('FETCH_INV_DATA', { kind: 'block', ids }));
        }
    }
    /** Executes what waits, in slices: others of the thread have their turn in between. */
    process() {
        if (this.isProcessing || this.isClosed || this.waiting.size === 0)
            return;
        this.isProcessing = true;
        setImmediate(() => this.options.patience.during(() => this.slice()));
    }
    slice() {
        this.isProcessing = false;
        if (this.isClosed)
            return;
        const { chain, log } = this.options;
        const started = performance.now();
        let done = 0;
        try {
            this.dropSolidified();
            for (let next = this.next(); next !== undefined; next = this.next()) {
                this.apply(next);
                done++;
                if (performance.now() - started > SLICE_MS)
                    break;
            }
            if (done > 0)
                this.unsettledMs ??= performance.now();
            const isMore = this.next() !== undefined;
            const isLate = this.unsettledMs !== undefined && performance.now() - this.unsettledMs > SETTLE_MS;
            if (this.unsettledMs !== undefined && (isLate || !isMore)) {
                this.unsettledMs = undefined;
                chain.settle();
            }
            if (isMore)
                this.process();
        }
        catch (error) {
            log.error({ err: error }, 'blocks of a sync could not be processed');
        }
    }
    /** A block that is the next one of some peer's chain. */
    next() {
        if (this.waiting.size === 0)
            return undefined;
        for (const { toFetch } of this.options.peers.active()) {
            const found = toFetch[0] && this.waiting.get(toFetch[0].hex);
            if (found !== undefined)
                return found;
        }
        return undefined;
    }
    apply({ block, peer }) {
        const { peers, observer, log } = this.options;
        this.forget(block.idHex);
        const failure = this.take(block);
        peer.inProcess.delete(block.idHex);
        if (failure !== undefined) {
            const { code, message } = failure;
            observer.refused(code, false);
            log.warn({ num: block.number, hash: block.idHex, type: code, reason: message }, 'a block of a sync is refused');
            if (code === 'BLOCK_SIGN_ERROR' || code === 'BLOCK_MERKLE_ERROR') {
                this.release(block.idHex, peer);
                peer.disconnect('BAD_BLOCK');
                return;
            }
        }
        const left = Math.max(0, ...peers.active().map(({ toFetch, remaining }) => toFetch.length + remaining));
        if (failure === undefined)
            this.progress.applied(block.number, left);
        for (const other of peers.active()) {
            if (other.toFetch[0]?.hex !== block.idHex)
                continue;
            const id = other.toFetch.shift();
            if (failure !== undefined) {
                other.disconnect('BAD_BLOCK');
                continue;
            }
            other.setCommonBlock(id);
            if (other.toFetch.length === 0 && other.mayFetch)
                this.askForIds(other);
        }
    }
    take(block) {
        try {
            this.options.chain.takeSynced(block);
            return undefined;
        }
        catch (error) {
            if (error instanceof P2pError)
                return error;
            this.options.log.error({ err: error, num: block.number }, 'a block of a sync could not be executed');
            return new P2pError('BAD_BLOCK', error instanceof Error ? error.message : String(error), { cause: error });
        }
    }
    dropSolidified() {
        const { number } = this.options.chain.solidified;
        for (const [id, { block, peer }] of this.waiting) {
            if (block.number > number)
                continue;
            this.forget(id);
            peer.inProcess.delete(id);
        }
    }
    forget(id) {
        this.waitingBytes -= this.waiting.get(id)?.block.bytes.length ?? 0;
        this.waiting.delete(id);
    }
    release(id, peer) {
        if (this.requested.get(id) === peer)
            this.requested.delete(id);
    }
}
//# sourceMappingURL=sync-client.js.map