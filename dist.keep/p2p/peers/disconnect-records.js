import { BoundedCache } from '../bounded-cache.js';
/** Addresses that are remembered. Reference: TronStatsManager.cache. */
const HOSTS_MAX = 3000;
const NONE = { times: 0, local: undefined, remote: undefined };
/** How often and why connections ended, by address. Reference: NodeStatistics. */
export class DisconnectRecords {
    records;
    constructor(now) {
        this.records = new BoundedCache({ entriesMax: HOSTS_MAX, now });
    }
    of(host) {
        return this.records.get(host) ?? NONE;
    }
    /** Only ends for which a reason was said are counted. */
    note(host, said) {
        const before = this.of(host);
        const count = [said.local, said.remote].filter((reason) => reason !== undefined).length;
        if (count === 0)
            return;
        this.records.set(host, {
            times: before.times + count,
            local: said.local ?? before.local,
            remote: said.remote ?? before.remote,
        });
    }
}
//# sourceMappingURL=disconnect-records.js.map