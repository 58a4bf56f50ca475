import {
  DATAGRAM_BYTES_MAX,
  type DiscoveryMessage,
  decodeDiscovery,
  encodeDiscovery,
} from '../../../src/p2p/discovery/discovery-message.js';
import type { NodeAddress } from '../../../src/p2p/transport/node-address.js';
import { bytesOf, capture } from '../../support/p2p/captures.js';

export type Random = () => number;
const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const captured = capture('udp-discovery').map(([, , hex]) => bytesOf(hex));

export const DATAGRAM_KINDS = ['ping', 'pong', 'findNode', 'neighbours'] as const;
export type DatagramKind = (typeof DATAGRAM_KINDS)[number];

export interface Speaker {
  readonly from: NodeAddress;
  readonly to: NodeAddress;
  readonly networkId: number;
}

/** Returns a valid datagram. */
export function fineDatagram(kind: DatagramKind, { from, to, networkId }: Speaker): Uint8Array {
  const timeMs = Date.now();
  const messages: Readonly<Record<DatagramKind, DiscoveryMessage>> = {
    ping: { kind, from, to, networkId, timeMs } as DiscoveryMessage,
    pong: { kind: 'pong', from, networkId, timeMs },
    findNode: { kind: 'findNode', from, target: from.id, timeMs },
    neighbours: { kind: 'neighbours', from, nodes: [{ ...from, ipv4: '10.9.8.7' }], timeMs },
  };
  return encodeDiscovery(messages[kind]);
}

/**
 * Returns a malformed datagram. It is a changed captured datagram, random bytes, or a datagram whose length is at a
 * limit.
 */
export function malformedDatagram(random: Random): Uint8Array {
  const bytes = Uint8Array.from(captured[below(random, captured.length)]!);
  const way = random();
  if (way < 0.5) {
    for (let flips = 1 + below(random, 6); flips > 0; flips--)
      bytes[below(random, bytes.length)]! ^= 1 << below(random, 8);
    return bytes;
  }
  if (way < 0.7) return bytes.subarray(0, below(random, bytes.length));
  if (way < 0.85) return Uint8Array.from({ length: below(random, 400) }, () => below(random, 256));
  const length = [0, 1, 2, DATAGRAM_BYTES_MAX - 1, DATAGRAM_BYTES_MAX, 1 + below(random, 60_000)][below(random, 6)]!;
  const long = new Uint8Array(length);
  long.set(bytes.subarray(0, length));
  return long;
}

/** Returns a malformed datagram that both java-tron releases drop. */
export function unreadableDatagram(random: Random): Uint8Array {
  for (;;) {
    const bytes = malformedDatagram(random);
    if (!isReadable(bytes, true) && !isReadable(bytes, false)) return bytes;
  }
}

function isReadable(bytes: Uint8Array, matchesWhole: boolean): boolean {
  try {
    decodeDiscovery(bytes, matchesWhole);
    return true;
  } catch {
    return false;
  }
}
