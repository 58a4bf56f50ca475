import { activeWitnesses } from '../../vm/consensus/schedule.js';
import type { Chain, ChainListener } from '../chain/chain.js';

/** Which witnesses may vote for an epoch: those of now, or those before the newest maintenance. Reference: MaintenanceManager. */
export class Voters {
  private readonly chain: Chain;
  private readonly listener: ChainListener = { applied: ({ number }) => this.applied(number) };
  private nextMs: bigint;
  private current: readonly string[];
  private before: readonly string[] = [];
  /** Time of the newest maintenance that this process has seen, ms. */
  private beforeMs = 0n;

  constructor(chain: Chain) {
    this.chain = chain;
    this.nextMs = this.maintenanceMs();
    this.current = activeWitnesses(chain.state);
    chain.listeners.add(this.listener);
  }

  close(): void {
    this.chain.listeners.delete(this.listener);
  }

  /** Addresses, hex. @param epochMs end of the epoch */
  of(epochMs: bigint): readonly string[] {
    return epochMs > this.beforeMs ? this.current : this.before;
  }

  private applied(number: number): void {
    const nextMs = this.maintenanceMs();
    if (nextMs === this.nextMs) return;
    if (number !== 1) {
      this.before = this.current;
      this.beforeMs = this.nextMs;
      this.current = activeWitnesses(this.chain.state);
    }
    this.nextMs = nextMs;
  }

  private maintenanceMs(): bigint {
    return this.chain.state.properties.get('NEXT_MAINTENANCE_TIME');
  }
}
