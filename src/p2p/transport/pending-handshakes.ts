import { isIPv6 } from 'node:net';
import { present } from '../../primitives/assert.js';
import type { Channel } from './channel.js';

/**
 * Maximum number of connections without a completed handshake. Above it, the node closes the oldest of them. Honest
 * nodes send their HELLO at once, so they are not affected. In java-tron, only the file descriptors limit this number.
 */
const HANDSHAKES_MAX = 500;
/** Maximum number of connections without a completed handshake from one IPv4 address or one IPv6 network. */
const HANDSHAKES_PER_OWNER_MAX = 20;
/** Number of leading groups of an IPv6 address that usually identify one owner: 4 × 16 bits. */
const IPV6_GROUPS = 4;

/** Connections without a completed handshake. Trusted addresses are not counted. */
export class PendingHandshakes {
  private readonly pending = new Map<Channel, string>();
  private readonly counts = new Map<string, number>();

  get size(): number {
    return this.pending.size;
  }

  /** Adds a connection. @returns the connection to close because a limit is exceeded, if any */
  add(channel: Channel): Channel | undefined {
    if (channel.isTrusted) return undefined;
    const owner = ownerOf(channel.host);
    const count = (this.counts.get(owner) ?? 0) + 1;
    this.pending.set(channel, owner);
    this.counts.set(owner, count);
    if (count > HANDSHAKES_PER_OWNER_MAX) return this.oldest(owner);
    return this.pending.size > HANDSHAKES_MAX ? this.oldest() : undefined;
  }

  /** Removes a connection after its handshake or close. */
  delete(channel: Channel): void {
    const owner = this.pending.get(channel);
    if (owner === undefined) return;
    this.pending.delete(channel);
    const left = present(this.counts.get(owner), 'every pending connection is counted') - 1;
    if (left === 0) this.counts.delete(owner);
    else this.counts.set(owner, left);
  }

  private oldest(owner?: string): Channel | undefined {
    for (const [channel, by] of this.pending) if (owner === undefined || by === owner) return channel;
    return undefined;
  }
}

/** Returns a key that is equal for all addresses of one owner. */
function ownerOf(host: string): string {
  if (!isIPv6(host)) return host;
  const [head = '', tail] = host.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, IPV6_GROUPS).join(':');
}
