import { isIPv6 } from 'node:net';
import { present } from '../../primitives/assert.js';
import type { Channel } from './channel.js';

/**
 * Connections that have not shaken hands yet, of all addresses and of one: of more the oldest is let go. An honest node
 * says its HELLO at once, so that it is through before as many others have come. The reference has no bound but its
 * files.
 */
const STRANGERS_MAX = 500;
const STRANGERS_OF_ONE_MAX = 20;
/** Who has an IPv6 address has all of the same first 64 bits. */
const IPV6_GROUPS = 4;

/** Who has connected and not said who it is; trusted addresses are not counted. */
export class PendingHandshakes {
  private readonly waiting = new Map<Channel, string>();
  private readonly counts = new Map<string, number>();

  get size(): number {
    return this.waiting.size;
  }

  /** @returns who is to be let go for it */
  add(channel: Channel): Channel | undefined {
    if (channel.isTrusted) return undefined;
    const owner = ownerOf(channel.host);
    const count = (this.counts.get(owner) ?? 0) + 1;
    this.waiting.set(channel, owner);
    this.counts.set(owner, count);
    if (count > STRANGERS_OF_ONE_MAX) return this.oldest(owner);
    return this.waiting.size > STRANGERS_MAX ? this.oldest() : undefined;
  }

  /** It has shaken hands, or is gone. */
  delete(channel: Channel): void {
    const owner = this.waiting.get(channel);
    if (owner === undefined) return;
    this.waiting.delete(channel);
    const left = present(this.counts.get(owner), 'who waits is counted') - 1;
    if (left === 0) this.counts.delete(owner);
    else this.counts.set(owner, left);
  }

  private oldest(owner?: string): Channel | undefined {
    for (const [channel, by] of this.waiting) if (owner === undefined || by === owner) return channel;
    return undefined;
  }
}

/** All addresses that one party holds for sure. */
function ownerOf(host: string): string {
  if (!isIPv6(host)) return host;
  const [head = '', tail] = host.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, IPV6_GROUPS).join(':');
}
