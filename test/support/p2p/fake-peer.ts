import { PeerMetrics } from '../../../src/node/peers/peer-metrics.js';
import { Peer } from '../../../src/p2p/peers/peer.js';
import { PeerSet } from '../../../src/p2p/peers/peer-set.js';
import type { PeerRelease } from '../../../src/p2p/releases/peer-release.js';
import { peerRelease } from '../../../src/p2p/releases/releases.js';
import type { Channel } from '../../../src/p2p/transport/channel.js';
import { PeerCpuQuota } from '../../../src/p2p/transport/peer-cpu-quota.js';
import { WireMessageType } from '../../../src/p2p/wire/message-types.js';
import { decodeDisconnect } from '../../../src/p2p/wire/messages.js';

export const later: PeerRelease = peerRelease('4.8.2');
export const older: PeerRelease = peerRelease('4.7.2');

/** Metrics object for peers. No test reads it. */
export const observer = new PeerMetrics({ hasMeters: false, now: () => 0 });

export interface FakeOptions {
  readonly host?: string;
  readonly isActive?: boolean;
  readonly isTrusted?: boolean;
  readonly isInSync?: boolean;
  readonly release?: PeerRelease;
  readonly now?: () => number;
}

/** A channel without a connection. It stores the messages that are sent. */
class FakeChannel {
  readonly sent: Uint8Array[] = [];
  readonly key: string;
  readonly host: string;
  readonly isActive: boolean;
  readonly isTrusted: boolean;
  readonly port = 1;
  readonly startMs: number;
  readonly latencyMs = 0;
  readonly share = new PeerCpuQuota(() => 0);
  isClosed = false;

  constructor({ host = '10.0.0.1', isActive = false, isTrusted = false, now = Date.now }: FakeOptions) {
    this.startMs = now();
    this.key = `${host}|1`;
    this.host = host;
    this.isActive = isActive;
    this.isTrusted = isTrusted;
  }

  send(bytes: Uint8Array): void {
    if (!this.isClosed) this.sent.push(bytes);
  }

  close(): void {
    this.isClosed = true;
  }
}

/** A peer whose channel has no connection. It stores the messages that are sent. */
export interface FakePeer {
  readonly peer: Peer;
  readonly sent: Uint8Array[];
}

export function fakePeer(options: FakeOptions = {}): FakePeer {
  const { isInSync = true, release = later, now = Date.now } = options;
  const channel = new FakeChannel(options);
  const genesis = { hex: '00'.repeat(32), number: 0 };
  // Contains only the parts of a channel that a peer uses.
  const peer = new Peer(channel as unknown as Channel, { genesis, release, isRelay: false, observer, now });
  peer.needsSyncFromPeer = !isInSync;
  peer.needsSyncFromUs = !isInSync;
  return { peer, sent: channel.sent };
}

export function setOf(peers: readonly FakePeer[]): PeerSet {
  const set = new PeerSet();
  for (const { peer } of peers) set.add(peer);
  return set;
}

/**
 * Returns the reason with which the node disconnected the peer: undefined if the connection is open, and `nothing` if
 * the node sent no reason.
 */
export function endOf({ peer, sent }: FakePeer): string | undefined {
  const last = sent.at(-1);
  if (!peer.isClosed) return undefined;
  return last?.[0] === WireMessageType.P2P_DISCONNECT ? decodeDisconnect(last.subarray(1)) : 'nothing';
}
