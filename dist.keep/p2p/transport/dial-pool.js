import { BoundedCache } from '../bounded-cache.js';
import { createNodeId, hostPortKey } from './node-address.js';
/** ms until the first round, and between rounds. Reference: ConnPoolService.init. */
const FIRST_MS = 200;
const PERIOD_MS = 3600;
/** An address is dialled once in this time; so many are remembered. Reference: ConnPoolService.peerClientCache. */
const DIALLED_LIFE_MS = 120_000;
const DIALLED_MAX = 1000;
/** ms between two looks for somebody to part from. Reference: ConnPoolService.init */
const PARTING_PERIOD_MS = 30_000;
/** Which nodes are dialled, and when. Reference: ConnPoolService. */
export class DialPool {
    options;
    dialled;
    /** Active nodes of the start: they do not count below. */
    configured;
    connected = new Set();
    /** Dialled, or connected after that. */
    dialling = 0;
    timers = [];
    constructor(options) {
        this.options = options;
        this.dialled = new BoundedCache({ entriesMax: DIALLED_MAX, lifeMs: DIALLED_LIFE_MS, now: options.now });
        this.configured = new Set(options.activeNodes().map(hostPortKey));
    }
    start() {
        const round = () => this.connect(true);
        this.timers.push(setTimeout(round, FIRST_MS), setInterval(round, PERIOD_MS));
        if (this.options.partsWhenFull)
            this.timers.push(setInterval(() => this.part(), PARTING_PERIOD_MS));
    }
    close() {
        for (const timer of this.timers.splice(0))
            clearTimeout(timer);
    }
    opened(channel) {
        this.connected.add(channel);
    }
    closed(channel) {
        this.connected.delete(channel);
    }
    /** A connection that was dialled ended, or never came about. */
    dialEnded(target) {
        if (this.configured.has(hostPortKey(target)))
            return;
        this.dialling--;
        if (this.timers.length > 0)
            this.connect(false);
    }
    connect(withActive) {
        const { table, activeNodes, candidates } = this.options;
        const hosts = new Set(table.all().map(({ host }) => host));
        const used = this.addressesInUse();
        const ids = new Set([this.options.self().id, ...table.all().flatMap(({ nodeId }) => nodeId ?? [])]);
        if (withActive) {
            for (const target of activeNodes()) {
                if (used.has(hostPortKey(target)) || hosts.has(target.host))
                    continue;
                hosts.add(target.host);
                used.add(hostPortKey(target));
                this.dial(target, createNodeId());
            }
        }
        let lack = this.lack();
        if (lack <= 0)
            return;
        for (const node of candidates()) {
            const target = this.targetOf(node);
            if (target === undefined || ids.has(node.id) || !this.isFree(target, used))
                continue;
            ids.add(node.id);
            for (const key of keysOf(node))
                used.add(key);
            this.dial(target, node.id);
            if (--lack === 0)
                return;
        }
    }
    /** Which of a node's addresses is dialled: of the family that both have, IPv4 first. */
    targetOf({ ipv4, ipv6, port }) {
        const self = this.options.self();
        if (ipv4 !== undefined && self.ipv4 !== undefined)
            return { host: ipv4, port };
        return ipv6 !== undefined && self.ipv6 !== undefined ? { host: ipv6, port } : undefined;
    }
    lack() {
        const { minConnections, minActiveConnections } = this.options;
        const lackActive = minActiveConnections - this.dialling;
        if (minConnections <= this.connected.size && lackActive <= 0)
            return 0;
        const passive = [...this.connected].filter(({ isActive }) => !isActive).length;
        return Math.max(minConnections - this.dialling - passive, lackActive);
    }
    addressesInUse() {
        const { table, self } = this.options;
        const used = new Set(keysOf(self()));
        for (const channel of table.all()) {
            used.add(channel.key);
            if (channel.announced !== undefined)
                for (const key of keysOf(channel.announced))
                    used.add(key);
        }
        return used;
    }
    isFree(target, used) {
        const { table, maxConnectionsWithSameIp } = this.options;
        return (!table.bans.isBanned(target.host) &&
            table.countOf(target.host) < maxConnectionsWithSameIp &&
            !this.dialled.has(target.host) &&
            !used.has(hostPortKey(target)));
    }
    dial(target, nodeId) {
        this.dialled.set(target.host, true);
        if (!this.configured.has(hostPortKey(target)))
            this.dialling++;
        this.options.dial(target, nodeId);
    }
    part() {
        if (this.options.table.size < this.options.maxConnections)
            return;
        const peers = [...this.connected].filter(({ isClosed, isTrusted, isActive }) => !isClosed && !isTrusted && !isActive);
        peers[Math.floor(Math.random() * peers.length)]?.close();
    }
}
function keysOf({ ipv4, ipv6, port }) {
    return [ipv4, ipv6].flatMap((host) => (host === undefined ? [] : hostPortKey({ host, port })));
}
//# sourceMappingURL=dial-pool.js.map