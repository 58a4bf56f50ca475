import snappy from 'snappy';
import {
  Block,
  BlockInventory,
  ChainInventory,
  DisconnectMessage,
  HelloMessage,
  Inventory,
  P2pCompressMessage,
  P2pDisconnectMessage,
  P2pHelloMessage,
  P2pKeepAliveMessage,
  P2pStatusMessage,
  PBFTCommitResult,
  PBFTMessage,
  Transaction,
  Transactions,
} from '../../../src/codec/generated/messages.js';

/**
 * Possible results of a connection by the rules of java-tron, written independently of the measured code. A result is
 * the reason in a disconnect message of TRON or of libp2p, or one of three words: `closed` for an end without a
 * message, `answered` if the node still answers a ping, and `waits` if it waits for more bytes.
 */
export type Ends = ReadonlySet<string>;

export type Release = '4.7.2' | '4.8.2';

interface Decoder {
  decode(bytes: Uint8Array): unknown;
}

/** Expected results of a well-formed and of a malformed message. They may depend on the release. */
interface Rule {
  readonly decoder: Decoder | undefined;
  readonly ends: Readonly<Record<Release, readonly string[]>>;
  readonly unreadable: string;
}

const both = (...ends: string[]): Rule['ends'] => ({ '4.7.2': ends, '4.8.2': ends });
const rule = (decoder: Decoder | undefined, ends: Rule['ends'], unreadable = 'UNKNOWN'): Rule => ({
  decoder,
  ends,
  unreadable,
});

/**
 * Expected results by message type, for a synced peer that has not sent a request. Reference: TronMessageFactory, the
 * handlers, P2pEventHandlerImpl.processException.
 */
const rules: ReadonlyMap<number, Rule> = new Map([
  // No handler exists for a single transaction, but the message is decoded first.
  [0x01, rule(Transaction, { '4.7.2': ['BAD_PROTOCOL'], '4.8.2': ['NO_SUCH_MESSAGE'] })],
  [0x02, rule(Block, both('BAD_PROTOCOL'))],
  [0x03, rule(Transactions, both('BAD_PROTOCOL', 'answered'))],
  // In java-tron, an id that is not 32 bytes long causes an exception other than P2pException, so the reason is
  // UNKNOWN.
  [0x06, rule(Inventory, { '4.7.2': ['answered', 'UNKNOWN'], '4.8.2': ['answered', 'UNKNOWN', 'BAD_PROTOCOL'] })],
  [0x07, rule(Inventory, both('BAD_PROTOCOL', 'UNKNOWN', 'FETCH_FAIL', 'answered'))],
  [0x08, rule(BlockInventory, both('BAD_PROTOCOL', 'UNKNOWN'))],
  [0x09, rule(ChainInventory, both('BAD_PROTOCOL', 'UNKNOWN'))],
  [0x14, rule(PBFTCommitResult, both('answered'))],
  [0x20, rule(HelloMessage, both('BAD_PROTOCOL'))],
  [0x21, rule(DisconnectMessage, both('closed'))],
  [0x22, rule(undefined, both('answered'))],
  [0x23, rule(undefined, both('answered'))],
  [0x34, rule(PBFTMessage, { '4.7.2': ['BAD_PROTOCOL', 'answered'], '4.8.2': ['answered'] }, 'BAD_PROTOCOL')],
]);
const UNHANDLED = 0x7f;
/** Messages of the connection layer by type, with the results of a well-formed message. */
const framework: ReadonlyMap<number, readonly [Decoder, readonly string[]]> = new Map([
  [0xfb, [P2pDisconnectMessage, ['closed']]],
  [0xfc, [P2pStatusMessage, ['closed']]],
  [0xfd, [P2pHelloMessage, ['closed', 'goodbye 14']]],
  [0xfe, [P2pKeepAliveMessage, ['answered']]],
  [0xff, [P2pKeepAliveMessage, ['answered']]],
]);
const Goodbye = { emptyMessage: 6, noSuchMessage: 10, badMessage: 11, unknown: 255 } as const;
const BIG = 5 * 1024 * 1024;
/**
 * Size in bytes from which this node, as release 4.7.2, rejects a decompressed message. java-tron has no such limit.
 */
const GROWN_472 = 2 * BIG;
/** Limit of this node for a message before HELLO, in bytes. java-tron has no such limit. */
const FIRST_BIG = 4096;

/**
 * Returns the results for an unreadable message. 4.7.2 closes the connection without a message. 4.8.2 first sends a
 * libp2p disconnect with the reason code `goodbye`.
 */
const closing = (release: Release, goodbye: number): string[] => [
  release === '4.7.2' ? 'closed' : `goodbye ${goodbye}`,
];

/** Returns the possible results of a stream of bytes. */
export function expectedEnds(stream: Uint8Array, release: Release, isFirst: boolean): Ends {
  const found = new Set<string>();
  let from = 0;
  for (;;) {
    const length = readLength(stream, from);
    if (length === 'malformed') return found.add('closed');
    if (length === undefined) return found.add('waits');
    if (length.value >= (isFirst ? FIRST_BIG : BIG)) return withAll(found, closing(release, Goodbye.badMessage));
    if (length.value < 0) return found.add('closed');
    if (length.end + length.value > stream.length) return found.add('waits');
    const frame = stream.subarray(length.end, length.end + length.value);
    from = length.end + length.value;
    if (frame.length === 0) continue;
    const ends = isFirst ? endsOfFirst(frame, release) : endsOfFrame(frame, release);
    withAll(
      found,
      ends.filter((end) => end !== 'answered'),
    );
    if (!ends.includes('answered')) return found;
    if (from === stream.length) return found.add('answered');
  }
}

function withAll(found: Set<string>, ends: readonly string[]): Set<string> {
  for (const end of ends) found.add(end);
  return found;
}

/**
 * Reads a length prefix as java-tron does, with 32-bit overflow. Reference:
 * P2pProtobufVarint32FrameDecoder.readRawVarint32.
 */
function readLength(stream: Uint8Array, from: number): { value: number; end: number } | 'malformed' | undefined {
  let value = 0;
  for (let at = 0; at < 5; at++) {
    const byte = stream[from + at];
    if (byte === undefined) return undefined;
    value |= (byte & 0x7f) << (7 * at);
    if (byte < 0x80) return { value, end: from + at + 1 };
  }
  return 'malformed';
}

function isReadable(decoder: Decoder | undefined, bytes: Uint8Array): boolean {
  try {
    decoder?.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function endsOfFrame(frame: Uint8Array, release: Release): readonly string[] {
  if (!isReadable(P2pCompressMessage, frame)) return closing(release, Goodbye.badMessage);
  const { type, data } = P2pCompressMessage.decode(frame);
  if (type === 0) return endsOfMessage(data, release);
  const grown = readLength(data, 0);
  if (grown === undefined || grown === 'malformed') return ['closed'];
  const size = grown.value >>> 0;
  if (size >= (release === '4.7.2' ? GROWN_472 : BIG)) return ['closed', ...closing(release, Goodbye.unknown)];
  try {
    return endsOfMessage(snappy.uncompressSync(Buffer.from(data), { asBuffer: true }) as Buffer, release);
  } catch {
    return ['closed'];
  }
}

function endsOfMessage(message: Uint8Array, release: Release): readonly string[] {
  const [type] = message;
  const body = message.subarray(1);
  if (type === undefined) return closing(release, Goodbye.emptyMessage);
  if (type === UNHANDLED) return closing(release, Goodbye.noSuchMessage);
  if (type >= 0x80) return endsOfFramework(type, body, release);
  const known = rules.get(type);
  if (known === undefined) return [release === '4.7.2' ? 'BAD_PROTOCOL' : 'NO_SUCH_MESSAGE'];
  return isReadable(known.decoder, body) ? known.ends[release] : [known.unreadable];
}

/** Returns the results of a message of the connection layer. Its values may be invalid even if it can be decoded. */
function endsOfFramework(type: number, body: Uint8Array, release: Release): readonly string[] {
  const known = framework.get(type);
  const bad = closing(release, Goodbye.badMessage);
  if (known === undefined) return closing(release, Goodbye.noSuchMessage);
  return isReadable(known[0], body) ? [...known[1], ...bad] : bad;
}

/** Returns the possible results of the first message of a connection if it is not HELLO. */
function endsOfFirst(frame: Uint8Array, release: Release): readonly string[] {
  const type = frame[0]!;
  if (type === UNHANDLED || type >= 0x80) {
    const ends = endsOfMessage(frame, release);
    return type === UNHANDLED || ends.length === 1 ? ends : [...ends, 'waits'];
  }
  // Old java-tron releases start a connection with this message instead of the HELLO of the connection layer. The
  // node therefore treats the sender as a TRON peer.
  return ['waits', 'closed', 'UNKNOWN', 'BAD_PROTOCOL', 'NO_SUCH_MESSAGE', 'answered'];
}
