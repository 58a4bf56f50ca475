import {
  P2pDisconnectMessage as DisconnectMessage,
  P2pHelloMessage as HelloMessage,
  P2pKeepAliveMessage as KeepAliveMessage,
  P2pStatusMessage as StatusMessage,
} from '../../codec/generated/messages.js';
import { P2pError } from '../p2p-error.js';
import { dropWrongIpv6, isValidEndpoint } from './node-address.js';

/** First byte of connection-layer messages. The first byte of application messages is below 0x80. */
export const FrameworkType = { ping: 0xff, pong: 0xfe, hello: 0xfd, status: 0xfc, goodbye: 0xfb } as const;

/** Transport version of this node. Peers with this version or a higher one support compressed messages. */
export const TRANSPORT_VERSION = 1;

/**
 * Maximum time in ms by which a peer's clock in a keep-alive message may be ahead of this node's clock.
 * Reference: Constant, NETWORK_TIME_DIFF.
 */
const AHEAD_MAX_MS = 1000;

type FrameworkMessage =
  | { readonly kind: 'ping' | 'pong'; readonly message: KeepAliveMessage }
  | { readonly kind: 'goodbye'; readonly message: DisconnectMessage }
  | { readonly kind: 'hello'; readonly message: HelloMessage }
  | { readonly kind: 'status'; readonly message: StatusMessage };

export function encodeKeepAlive(kind: 'ping' | 'pong', nowMs: number): Uint8Array {
  const message = Object.assign(new KeepAliveMessage(), { timestamp: BigInt(nowMs) });
  return typed(FrameworkType[kind], KeepAliveMessage.encode(message));
}

export function encodeHello(message: HelloMessage): Uint8Array {
  return typed(FrameworkType.hello, HelloMessage.encode(message));
}

/** Close reasons of TRON's Java library libp2p, version 2.1 and later. Reference: DisconnectReason. */
const Goodbye = {
  PEER_QUITING: 0,
  BAD_PROTOCOL: 1,
  TOO_MANY_PEERS: 2,
  DUPLICATE_PEER: 3,
  DIFFERENT_VERSION: 4,
  RANDOM_ELIMINATION: 5,
  EMPTY_MESSAGE: 6,
  PING_TIMEOUT: 7,
  DISCOVER_MODE: 8,
  NO_SUCH_MESSAGE: 10,
  BAD_MESSAGE: 11,
  TOO_MANY_PEERS_WITH_SAME_IP: 12,
  RECENT_DISCONNECT: 13,
  DUP_HANDSHAKE: 14,
  UNKNOWN: 255,
} as const;

export type GoodbyeName = keyof typeof Goodbye;

const goodbyes = new Map(Object.entries(Goodbye).map(([name, code]) => [code as number, name as GoodbyeName]));

export function goodbyeName(reason: number): GoodbyeName {
  return goodbyes.get(reason) ?? 'UNKNOWN';
}

export function encodeGoodbye(name: GoodbyeName): Uint8Array {
  const message = Object.assign(new DisconnectMessage(), { reason: Goodbye[name] });
  return typed(FrameworkType.goodbye, DisconnectMessage.encode(message));
}

export function encodeStatus(message: StatusMessage): Uint8Array {
  return typed(FrameworkType.status, StatusMessage.encode(message));
}

/**
 * Decodes a connection-layer message. The caller closes the connection after an error.
 * @param bytes type and protobuf
 * @param matchesWhole see `TransportRules`
 * @throws {P2pError} NO_SUCH_MESSAGE: when the type is unknown
 * @throws {P2pError} BAD_MESSAGE: when a field is invalid
 * @throws {P2pError} CLOCK_AHEAD: when the peer's clock is too far ahead
 * @throws {ProtobufError} when the protobuf is malformed
 */
export function decodeFramework(bytes: Uint8Array, nowMs: number, matchesWhole = false): FrameworkMessage {
  const body = bytes.subarray(1);
  const decoded = decodeByType(bytes[0], body);
  if (matchesWhole && (decoded.kind === 'hello' || decoded.kind === 'status')) dropWrongIpv6(decoded.message.from);
  if (decoded.kind === 'ping' || decoded.kind === 'pong') {
    const aheadMs = Number(decoded.message.timestamp) - nowMs;
    if (aheadMs > AHEAD_MAX_MS) throw new P2pError('CLOCK_AHEAD', `peer clock is ${aheadMs} ms ahead`);
  }
  if (!isValid(decoded, matchesWhole)) throw new P2pError('BAD_MESSAGE', `type: ${decoded.kind}`);
  return decoded;
}

function decodeByType(type: number | undefined, body: Uint8Array): FrameworkMessage {
  switch (type) {
    case FrameworkType.ping:
      return { kind: 'ping', message: KeepAliveMessage.decode(body) };
    case FrameworkType.pong:
      return { kind: 'pong', message: KeepAliveMessage.decode(body) };
    case FrameworkType.hello:
      return { kind: 'hello', message: HelloMessage.decode(body) };
    case FrameworkType.status:
      return { kind: 'status', message: StatusMessage.decode(body) };
    case FrameworkType.goodbye:
      return { kind: 'goodbye', message: DisconnectMessage.decode(body) };
    default:
      throw new P2pError('NO_SUCH_MESSAGE', `type:${type}`);
  }
}

function isValid(decoded: FrameworkMessage, matchesWhole: boolean): boolean {
  if (decoded.kind === 'hello' || decoded.kind === 'status') return isValidEndpoint(decoded.message.from, matchesWhole);
  if (decoded.kind === 'goodbye') return true;
  return decoded.message.timestamp > 0n;
}

function typed(type: number, body: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(type), body]);
}
