import type { Chain } from '../../chain/chain.js';
import type { ChainListener } from '../../chain/chain-listener.js';
import { activeWitnesses } from '../../state-transition/consensus/schedule.js';

/**
 * Witnesses that may vote, by epoch. In the current epoch, these are the active witnesses. In the previous epoch, these
 * are the witnesses that were active before the newest maintenance. Reference: MaintenanceManager.
 */
export class Voters {
  private readonly chain: Chain;
  private readonly listener: ChainListener = {
    applied: ({ number }) => this.applied(number),
    // After a reorg, maintenance may be at a different block than before and elect different witnesses. As in
    // java-tron, the voters are then read again.
    reverted: () => this.read(),
  };
  /** Time of the next maintenance after the head, in ms. */
  private nextMs!: bigint;
  /** Addresses (hex) of the witnesses that are active until the next maintenance. */
  private scheduled!: readonly string[];
  private current: readonly string[];
  private before: readonly string[] = [];
  /** Time in ms of the newest maintenance that this process has seen; 0 if it has seen no maintenance. */
  private beforeMs = 0n;

  constructor(chain: Chain) {
    this.chain = chain;
    this.read();
    this.current = this.scheduled;
    chain.listeners.add(this.listener);
  }

  close(): void {
    this.chain.listeners.delete(this.listener);
  }

  /** Returns the addresses (hex) of the witnesses that may vote in an epoch. @param epochMs end of the epoch, in ms */
  of(epochMs: bigint): readonly string[] {
    return epochMs > this.beforeMs ? this.current : this.before;
  }

  private applied(number: number): void {
    const { nextMs, scheduled } = this;
    if (this.maintenanceMs() === nextMs) return;
    this.read();
    if (number === 1) return;
    this.before = scheduled;
    this.beforeMs = nextMs;
    this.current = this.scheduled;
  }

  private read(): void {
    this.nextMs = this.maintenanceMs();
    this.scheduled = activeWitnesses(this.chain.state);
  }

  private maintenanceMs(): bigint {
    return this.chain.state.properties.get('NEXT_MAINTENANCE_TIME');
  }
}
