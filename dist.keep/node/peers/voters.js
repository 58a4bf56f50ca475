import { activeWitnesses } from '../../vm/consensus/schedule.js';
/** Which witnesses may vote for an epoch: those of now, or those before the newest maintenance. Reference: MaintenanceManager. */
export class Voters {
    chain;
    listener = { applied: ({ number }) => this.applied(number) };
    nextMs;
    current;
    before = [];
    /** Time of the newest maintenance that this process has seen, ms. */
    beforeMs = 0n;
    constructor(chain) {
        this.chain = chain;
        this.nextMs = this.maintenanceMs();
        this.current = activeWitnesses(chain.state);
        chain.listeners.add(this.listener);
    }
    close() {
        this.chain.listeners.delete(this.listener);
    }
    /** Addresses, hex. @param epochMs end of the epoch */
    of(epochMs) {
        return epochMs > this.beforeMs ? this.current : this.before;
    }
    applied(number) {
        const nextMs = this.maintenanceMs();
        if (nextMs === this.nextMs)
            return;
        if (number !== 1) {
            this.before = this.current;
            this.beforeMs = this.nextMs;
            this.current = activeWitnesses(this.chain.state);
        }
        this.nextMs = nextMs;
    }
    maintenanceMs() {
        return this.chain.state.properties.get('NEXT_MAINTENANCE_TIME');
    }
}
//# sourceMappingURL=voters.js.map