import { itemKey } from '../peers/peer.js';
/** Items that wait to be asked for, of all peers; each peer has at least its even share of them. */
export const WANTED_MAX = 10_000;
/**
 * What was announced and waits to be asked for, by who announced it: who has time is looked up without a look at what others wait
 * with. Of too much the oldest of the greediest peer is forgotten. Reference: AdvService.invToFetch.
 */
export class WantedItems {
    items = new Map();
    byPeer = new Map();
    forgotten;
    /** @param forgotten told of what is dropped because too much waits */
    constructor(forgotten) {
        this.forgotten = forgotten;
    }
    get size() {
        return this.items.size;
    }
    /** Lets the items of one message wait; the live iterator makes forgetting as many of them linear. */
    add(items, announcers, sinceMs) {
        const oldest = new Map();
        for (const item of items) {
            const key = itemKey(item);
            this.delete(key);
            this.items.set(key, { ...item, key, sinceMs, announcers: [] });
            for (const peer of announcers)
                this.alsoFrom(key, peer);
            if (this.items.size > WANTED_MAX)
                this.forgetOne(oldest);
        }
    }
    /** Another peer announced what may wait. */
    alsoFrom(key, peer) {
        const item = this.items.get(key);
        if (item === undefined || item.announcers.includes(peer))
            return;
        item.announcers = [...item.announcers, peer];
        const keys = this.byPeer.get(peer);
        if (keys === undefined)
            this.byPeer.set(peer, new Set([key]));
        else
            keys.add(key);
    }
    /** What a peer announced, oldest first; may be deleted from while it is walked. */
    *of(peer) {
        for (const key of this.byPeer.get(peer) ?? [])
            yield this.items.get(key);
    }
    delete(key) {
        const item = this.items.get(key);
        if (item === undefined)
            return;
        this.items.delete(key);
        for (const peer of item.announcers) {
            const keys = this.byPeer.get(peer);
            keys.delete(key);
            if (keys.size === 0)
                this.byPeer.delete(peer);
        }
    }
    /** Forgets what only this peer announced. */
    dropPeer(peer) {
        for (const item of this.of(peer)) {
            item.announcers = item.announcers.filter((other) => other !== peer);
            if (item.announcers.length > 0)
                continue;
            this.items.delete(item.key);
            this.forgotten(item.key);
        }
        this.byPeer.delete(peer);
    }
    /** Forgets what was announced before a time. */
    expire(beforeMs) {
        for (const [key, { sinceMs }] of this.items) {
            if (sinceMs >= beforeMs)
                return;
            this.delete(key);
            this.forgotten(key);
        }
    }
    forgetOne(oldest) {
        let greediest = new Set();
        for (const keys of this.byPeer.values())
            if (keys.size > greediest.size)
                greediest = keys;
        let keys = oldest.get(greediest);
        if (keys === undefined) {
            keys = greediest.values();
            oldest.set(greediest, keys);
        }
        const { value } = keys.next();
        if (value === undefined)
            return;
        this.delete(value);
        this.forgotten(value);
    }
}
//# sourceMappingURL=wanted-items.js.map