import { dropOldest } from '../../primitives/drop-oldest.js';

/** Maximum number of banned addresses. Reference: ChannelManager.bannedNodes. */
const ENTRIES_MAX = 2000;
/** Duration of the ban after every closed connection, in ms. Reference: Parameter.DEFAULT_BAN_TIME. */
export const CLOSED_BAN_MS = 60_000;
/** Duration of the ban after a protocol violation, in ms. Reference: PeerConnection.BAD_PEER_BAN_TIME. */
export const BAD_PEER_BAN_MS = 3_600_000;

/** Temporarily banned addresses. An active ban is neither extended nor replaced. */
export class BanList {
  private readonly untilMs = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  isBanned(host: string): boolean {
    return (this.untilMs.get(host) ?? 0) > this.now();
  }

  ban(host: string, durationMs: number): void {
    if (this.isBanned(host)) return;
    this.untilMs.delete(host);
    this.untilMs.set(host, this.now() + durationMs);
    if (this.untilMs.size > ENTRIES_MAX) dropOldest(this.untilMs);
  }
}
