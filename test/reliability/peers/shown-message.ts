import { createHash } from 'node:crypto';
import {
  DisconnectMessage,
  Endpoint,
  HelloMessage,
  Inventory,
  P2pDisconnectMessage,
  P2pHelloMessage,
  P2pStatusMessage,
  PBFTCommitResult,
  ReasonCode,
} from '../../../src/codec/generated/messages.js';
import { unwrapMessage } from '../../../src/p2p/transport/compression.js';
import { FRAME_BYTES_MAX } from '../../../src/p2p/transport/frames.js';
import { FrameworkType } from '../../../src/p2p/transport/framework-message.js';
import { messageName, WireMessageType } from '../../../src/p2p/wire/message-types.js';
import { compareBytes, EMPTY_BYTES, toHex, toUtf8 } from '../../../src/primitives/bytes.js';

/**
 * Maximum number of hex digits of a body in a text. A longer body is replaced by its hash. Lists of transactions are
 * never replaced, because they may be split into several messages.
 */
const SHOWN = 700;

/** Formats a frame of a node. Equal messages of two nodes have equal texts. The answer to a ping is `pong`. */
export function shownFrame(frame: Uint8Array): string {
  const [type = 0] = frame;
  if (type >= 0x80) return shownFramework(frame);
  let message: Uint8Array;
  try {
    message = unwrapMessage(frame, FRAME_BYTES_MAX);
  } catch {
    // Format of messages before the peer has sent its version.
    return `bare ${shownMessage(frame)}`;
  }
  return (message[0] ?? 0) >= 0x80 ? shownFramework(message) : shownMessage(message);
}

function shownFramework(bytes: Uint8Array): string {
  const body = bytes.subarray(1);
  switch (bytes[0]) {
    case FrameworkType.pong:
      return 'pong';
    case FrameworkType.ping:
      return 'ping';
    case FrameworkType.goodbye:
      return `goodbye ${P2pDisconnectMessage.decode(body).reason}`;
    case FrameworkType.hello: {
      const { from, networkId, code, version } = P2pHelloMessage.decode(body);
      return `libp2p hello of ${shownHosts(from)} network ${networkId} code ${code} version ${version}`;
    }
    case FrameworkType.status: {
      const { from, networkId, version, maxConnections, currentConnections } = P2pStatusMessage.decode(body);
      return `libp2p status of ${shownHosts(from)} network ${networkId} version ${version} ${currentConnections} of ${maxConnections}`;
    }
    default:
      return `framework ${toHex(bytes)}`;
  }
}

function shownHosts(from = new Endpoint()): string {
  return `${toUtf8(from.address)} ${toUtf8(from.addressIpv6)}`;
}

function shownMessage(bytes: Uint8Array): string {
  const [type = 0] = bytes;
  const body = bytes.subarray(1);
  const name = messageName(type) ?? `type ${type}`;
  if (type === WireMessageType.P2P_DISCONNECT) {
    const { reason } = DisconnectMessage.decode(body);
    return `${name} ${Object.entries(ReasonCode).find(([, code]) => code === reason)?.[0] ?? reason}`;
  }
  const isList = type === WireMessageType.INVENTORY || type === WireMessageType.FETCH_INV_DATA;
  const shown = comparable(type, body);
  return `${name} ${isList ? toHex(shown) : shownBody(shown)}`;
}

function comparable(type: number, body: Uint8Array): Uint8Array {
  if (type === WireMessageType.P2P_HELLO) return comparableHello(body);
  if (type === WireMessageType.PBFT_COMMIT_MSG) return comparableProof(body);
  return type === WireMessageType.INVENTORY || type === WireMessageType.FETCH_INV_DATA ? comparableItems(body) : body;
}

/**
 * Removes the bytes of the signatures in a proof, but keeps their number. java-tron counts votes in ten threads, so
 * the votes in a proof are random.
 */
function comparableProof(body: Uint8Array): Uint8Array {
  const proof = PBFTCommitResult.decode(body);
  proof.signature = proof.signature.map(() => EMPTY_BYTES);
  return PBFTCommitResult.encode(proof);
}

/** Sorts the items of a message, because java-tron lists them in the order of a hash map. */
function comparableItems(body: Uint8Array): Uint8Array {
  const list = Inventory.decode(body);
  list.ids.sort(compareBytes);
  return Inventory.encode(list);
}

/**
 * Sorts received messages whose order is random. Both nodes announce and fetch in rounds of 30 ms, so timing decides
 * which transactions are in one message. Timing also decides the order in which java-tron votes on a block and on the
 * list of witnesses.
 */
export function comparableReceived(frames: readonly string[]): string[] {
  return sortedRuns(withoutRounds(frames), (text) => text.startsWith('PBFT_MSG '));
}

/** Sorts each sequence of consecutive texts that meet a condition. */
function sortedRuns(texts: readonly string[], isMeant: (text: string) => boolean): string[] {
  const sorted: string[] = [];
  let run: string[] = [];
  for (const text of texts) {
    if (isMeant(text)) {
      run.push(text);
      continue;
    }
    sorted.push(...run.sort(), text);
    run = [];
  }
  return [...sorted, ...run.sort()];
}

function withoutRounds(frames: readonly string[]): string[] {
  const received: string[] = [];
  let ids: string[] = [];
  let kind = '';
  const end = (): void => {
    received.push(...ids.sort().map((id) => `${kind} ${id}`));
    ids = [];
  };
  for (const text of frames) {
    const [, name = '', body = ''] = TRANSACTION_IDS.exec(text) ?? [];
    if (name !== kind || body === '') end();
    kind = name;
    if (body === '') received.push(text);
    else ids.push(...(body.match(/1220[0-9a-f]{64}/g) ?? []));
  }
  end();
  return received;
}

const TRANSACTION_IDS = /^(INVENTORY|FETCH_INV_DATA) ((?:1220[0-9a-f]{64})+)$/;

/** Removes the fields of a HELLO that differ between nodes and connections. */
function comparableHello(body: Uint8Array): Uint8Array {
  const hello = HelloMessage.decode(body);
  hello.timestamp = 0n;
  // A producing node signs the current time, so its signature always differs.
  hello.signature.fill(0);
  if (hello.from !== undefined) {
    hello.from.nodeId = EMPTY_BYTES;
    hello.from.port = 0;
  }
  return HelloMessage.encode(hello);
}

function shownBody(body: Uint8Array): string {
  const text = toHex(body);
  if (text.length <= SHOWN) return text;
  return `${body.length} bytes ${createHash('sha256').update(body).digest('hex')}`;
}
