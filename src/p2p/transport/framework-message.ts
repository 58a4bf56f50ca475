import {
  P2pHelloMessage as HelloMessage,
  P2pKeepAliveMessage as KeepAliveMessage,
  P2pStatusMessage as StatusMessage,
} from '../../log/codec/generated/messages.js';
import { P2pError } from '../p2p-error.js';
import { isValidEndpoint } from './node-address.js';

/** First byte of the messages of the connection layer; those of applications are below 0x80. */
export const FrameworkType = { ping: 0xff, pong: 0xfe, hello: 0xfd, status: 0xfc } as const;

/** Version that both ends must at least have for messages to be wrapped. */
export const TRANSPORT_VERSION = 1;

/** ms that the other side's clock may be ahead in a keep-alive message. Reference: Constant, NETWORK_TIME_DIFF. */
const AHEAD_MAX_MS = 1000;

export type FrameworkMessage =
  | { readonly kind: 'ping' | 'pong'; readonly message: KeepAliveMessage }
  | { readonly kind: 'hello'; readonly message: HelloMessage }
  | { readonly kind: 'status'; readonly message: StatusMessage };

export function encodeKeepAlive(kind: 'ping' | 'pong', nowMs: number): Uint8Array {
  const message = Object.assign(new KeepAliveMessage(), { timestamp: BigInt(nowMs) });
  return typed(FrameworkType[kind], KeepAliveMessage.encode(message));
}

export function encodeHello(message: HelloMessage): Uint8Array {
  return typed(FrameworkType.hello, HelloMessage.encode(message));
}

export function encodeStatus(message: StatusMessage): Uint8Array {
  return typed(FrameworkType.status, StatusMessage.encode(message));
}

/**
 * @param bytes type and protobuf
 * @throws {P2pError | ProtobufError} NO_SUCH_MESSAGE, BAD_MESSAGE: the connection is closed without a word
 */
export function decodeFramework(bytes: Uint8Array, nowMs: number): FrameworkMessage {
  const body = bytes.subarray(1);
  const decoded = decodeByType(bytes[0]!, body);
  if (!isValid(decoded, nowMs)) throw new P2pError('BAD_MESSAGE', `type: ${decoded.kind}`);
  return decoded;
}

function decodeByType(type: number, body: Uint8Array): FrameworkMessage {
  switch (type) {
    case FrameworkType.ping:
      return { kind: 'ping', message: KeepAliveMessage.decode(body) };
    case FrameworkType.pong:
      return { kind: 'pong', message: KeepAliveMessage.decode(body) };
    case FrameworkType.hello:
      return { kind: 'hello', message: HelloMessage.decode(body) };
    case FrameworkType.status:
      return { kind: 'status', message: StatusMessage.decode(body) };
    default:
      throw new P2pError('NO_SUCH_MESSAGE', `type:${type}`);
  }
}

function isValid(decoded: FrameworkMessage, nowMs: number): boolean {
  if (decoded.kind === 'hello' || decoded.kind === 'status') return isValidEndpoint(decoded.message.from);
  const { timestamp } = decoded.message;
  return timestamp > 0n && timestamp <= BigInt(nowMs + AHEAD_MAX_MS);
}

function typed(type: number, body: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(type), body]);
}
