import { BoundedCache } from '../bounded-cache.js';
import type { Reason } from '../wire/messages.js';

/** Addresses that are remembered. Reference: TronStatsManager.cache. */
const HOSTS_MAX = 3000;

/** How connections with an address ended. */
interface DisconnectRecord {
  readonly times: number;
  /** The newest reason of this side, and of the other. */
  readonly local: Reason | undefined;
  readonly remote: Reason | undefined;
}

const NONE: DisconnectRecord = { times: 0, local: undefined, remote: undefined };

/** How often and why connections ended, by address. Reference: NodeStatistics. */
export class DisconnectRecords {
  private readonly records: BoundedCache<DisconnectRecord>;

  constructor(now: () => number) {
    this.records = new BoundedCache({ entriesMax: HOSTS_MAX, now });
  }

  of(host: string): DisconnectRecord {
    return this.records.get(host) ?? NONE;
  }

  /** Only ends for which a reason was said are counted. */
  note(host: string, said: { readonly local: Reason | undefined; readonly remote: Reason | undefined }): void {
    const before = this.of(host);
    const count = [said.local, said.remote].filter((reason) => reason !== undefined).length;
    if (count === 0) return;
    this.records.set(host, {
      times: before.times + count,
      local: said.local ?? before.local,
      remote: said.remote ?? before.remote,
    });
  }
}
