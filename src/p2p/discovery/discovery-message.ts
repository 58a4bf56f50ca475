import { type Endpoint, FindNeighbours, Neighbours, PingMessage, PongMessage } from '../../codec/generated/messages.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import { P2pError } from '../p2p-error.js';
import {
  dropWrongIpv6,
  fromEndpoint,
  isValidEndpoint,
  NODE_ID_BYTES,
  type NodeAddress,
  PORT_MAX,
  toEndpoint,
} from '../transport/node-address.js';

/** First byte of a datagram. Reference: discover.message.MessageType. */
const Type = { ping: 1, pong: 2, findNode: 3, neighbours: 4 } as const;

/**
 * Datagrams of at least this size, in bytes, are dropped. Datagrams of one byte are also dropped, because they have no
 * body.
 * Reference: P2pPacketDecoder.
 */
export const DATAGRAM_BYTES_MAX = 2048;
/** Maximum number of nodes in an answer. Reference: KademliaOptions.BUCKET_SIZE. */
const NEIGHBOURS_MAX = 16;

/**
 * Content of one datagram. `from` is the announced address of the sender. The decoder does not check `networkId` and
 * `timeMs`.
 */
export type DiscoveryMessage =
  | {
      readonly kind: 'ping';
      readonly from: NodeAddress;
      readonly to: NodeAddress;
      readonly networkId: number;
      readonly timeMs: number;
    }
  | { readonly kind: 'pong'; readonly from: NodeAddress; readonly networkId: number; readonly timeMs: number }
  | { readonly kind: 'findNode'; readonly from: NodeAddress; readonly target: string; readonly timeMs: number }
  | {
      readonly kind: 'neighbours';
      readonly from: NodeAddress;
      readonly nodes: readonly NodeAddress[];
      readonly timeMs: number;
    };

export function encodeDiscovery(message: DiscoveryMessage): Uint8Array {
  const from = toEndpoint(message.from);
  const timestamp = BigInt(message.timeMs);
  switch (message.kind) {
    case 'ping': {
      const fields = { from, to: toEndpoint(message.to), version: message.networkId, timestamp };
      return typed(Type.ping, PingMessage.encode(Object.assign(new PingMessage(), fields)));
    }
    case 'pong':
      return typed(
        Type.pong,
        PongMessage.encode(Object.assign(new PongMessage(), { from, echo: message.networkId, timestamp })),
      );
    case 'findNode': {
      const fields = { from, targetId: fromHex(message.target), timestamp };
      return typed(Type.findNode, FindNeighbours.encode(Object.assign(new FindNeighbours(), fields)));
    }
    case 'neighbours': {
      const fields = { from, neighbours: message.nodes.map(toEndpoint), timestamp };
      return typed(Type.neighbours, Neighbours.encode(Object.assign(new Neighbours(), fields)));
    }
  }
}

/**
 * Decodes a datagram.
 * @param matchesWhole true if the address pattern must match the whole text of an address, see `TransportRules`
 * @throws {P2pError | ProtobufError} when java-tron drops the datagram
 */
export function decodeDiscovery(bytes: Uint8Array, matchesWhole = false): DiscoveryMessage {
  const addressOf = (endpoint: Endpoint | undefined): NodeAddress => {
    if (matchesWhole) dropWrongIpv6(endpoint);
    return validAddress(endpoint, matchesWhole);
  };
  if (bytes.length <= 1 || bytes.length >= DATAGRAM_BYTES_MAX) throw new P2pError('BIG_MESSAGE', `len=${bytes.length}`);
  const body = bytes.subarray(1);
  switch (bytes[0]) {
    case Type.ping: {
      const { from, to, version, timestamp } = PingMessage.decode(body);
      const target = to === undefined ? UNKNOWN_NODE : fromEndpoint(to);
      return { kind: 'ping', from: addressOf(from), to: target, networkId: version, timeMs: Number(timestamp) };
    }
    case Type.pong: {
      const { from, echo, timestamp } = PongMessage.decode(body);
      return { kind: 'pong', from: addressOf(from), networkId: echo, timeMs: Number(timestamp) };
    }
    case Type.findNode: {
      const { from, targetId, timestamp } = FindNeighbours.decode(body);
      if (targetId.length !== NODE_ID_BYTES)
        throw new P2pError('BAD_MESSAGE', `invalid target: ${targetId.length} bytes`);
      return { kind: 'findNode', from: addressOf(from), target: toHex(targetId), timeMs: Number(timestamp) };
    }
    case Type.neighbours: {
      const { from, neighbours, timestamp } = Neighbours.decode(body);
      if (neighbours.length > NEIGHBOURS_MAX)
        throw new P2pError('BAD_MESSAGE', `too many neighbours: ${neighbours.length}`);
      return { kind: 'neighbours', from: addressOf(from), nodes: neighbours.map(addressOf), timeMs: Number(timestamp) };
    }
    default:
      throw new P2pError('NO_SUCH_MESSAGE', `type=${bytes[0]}`);
  }
}

const UNKNOWN_NODE: NodeAddress = { id: '', ipv4: undefined, ipv6: undefined, port: 0 };

function validAddress(endpoint: Endpoint | undefined, matchesWhole: boolean): NodeAddress {
  if (!isValidEndpoint(endpoint, matchesWhole)) throw new P2pError('BAD_MESSAGE', 'invalid node address');
  // Java's InetSocketAddress rejects such a port number.
  if (endpoint.port < 0 || endpoint.port > PORT_MAX)
    throw new P2pError('BAD_MESSAGE', `port out of range:${endpoint.port}`);
  return fromEndpoint(endpoint);
}

function typed(type: number, body: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(type), body]);
}
