import { dropOldest } from '../../primitives/drop-oldest.js';

/** Addresses that are banned at once at most. Reference: ChannelManager.bannedNodes. */
const ENTRIES_MAX = 2000;
/** ms that every close of a connection bans the address for. Reference: Parameter.DEFAULT_BAN_TIME. */
export const CLOSED_BAN_MS = 60_000;
/** ms for what no honest peer sends. Reference: PeerConnection.BAD_PEER_BAN_TIME. */
export const BAD_PEER_BAN_MS = 3_600_000;

/** Addresses whose connections are refused for a while; a running ban is neither made longer nor replaced. */
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
