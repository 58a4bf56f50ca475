import type { Peer } from './peer.js';

/** Time until the first check, in ms. Reference: PeerStatusCheck.init. */
export const STATUS_CHECK_FIRST_MS = 5000;
/** Time between two checks, in ms. */
export const STATUS_CHECK_PERIOD_MS = 2000;
/** Time limit for progress of the common block, in ms. Reference: PeerStatusCheck.blockUpdateTimeout. */
const NO_PROGRESS_MS = 30_000;
/** Time limit for a requested announced item, in ms. Reference: NetConstants.ADV_TIME_OUT. */
const ITEM_TIMEOUT_MS = 20_000;
/** Time limit for a requested block of a sync, in ms. Reference: NetConstants.SYNC_TIME_OUT. */
const SYNC_BLOCK_TIMEOUT_MS = 5000;

/**
 * Returns the time limit that a peer has exceeded; undefined for none. Reference: PeerStatusCheck.statusCheck.
 * @param waitedMs current time of the `IdleClock`, with which sync requests are measured
 */
export function overdue(
  peer: Peer,
  nowMs: number,
  waitedMs: number,
): 'no progress' | 'item' | 'sync block' | undefined {
  if (peer.needsSyncFromPeer && peer.commonBlockMs < nowMs - NO_PROGRESS_MS) return 'no progress';
  if (isOver(peer.itemRequests, nowMs - ITEM_TIMEOUT_MS)) return 'item';
  return isOver(peer.syncRequests, waitedMs - SYNC_BLOCK_TIMEOUT_MS) ? 'sync block' : undefined;
}

function isOver(requests: ReadonlyMap<string, number>, sinceMs: number): boolean {
  for (const requestedMs of requests.values()) if (requestedMs < sinceMs) return true;
  return false;
}
