import { BoundedCache } from '../bounded-cache.js';
import type { Reason } from '../wire/messages.js';

/** Maximum number of cached addresses. Reference: TronStatsManager.cache. */
const HOSTS_MAX = 3000;

/** Statistics of the ended connections of one address. */
interface DisconnectRecord {
  readonly times: number;
  /** Newest reason sent by this node, and newest reason received. */
  readonly local: Reason | undefined;
  readonly remote: Reason | undefined;
}

const NONE: DisconnectRecord = { times: 0, local: undefined, remote: undefined };

/** Number and reasons of disconnects by address. Reference: NodeStatistics. */
export class DisconnectRecords {
  private readonly records: BoundedCache<DisconnectRecord>;

  constructor(now: () => number) {
    this.records = new BoundedCache({ entriesMax: HOSTS_MAX, now });
  }

  of(host: string): DisconnectRecord {
    return this.records.get(host) ?? NONE;
  }

  /** Records a disconnect. Each of the two reasons counts as a disconnect. Without a reason, nothing is counted. */
  note(host: string, reasons: { readonly local: Reason | undefined; readonly remote: Reason | undefined }): void {
    const before = this.of(host);
    const count = [reasons.local, reasons.remote].filter((reason) => reason !== undefined).length;
    if (count === 0) return;
    this.records.set(host, {
      times: before.times + count,
      local: reasons.local ?? before.local,
      remote: reasons.remote ?? before.remote,
    });
  }
}
