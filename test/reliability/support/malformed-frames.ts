import snappy from 'snappy';
import { P2pCompressMessage } from '../../../src/codec/generated/messages.js';
import { wrapMessage } from '../../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../../src/p2p/transport/frames.js';
import { bytesOf, capture } from '../../support/p2p/captures.js';

/** A frame that a hostile peer sends, as bytes. */
export interface MalformedFrame {
  readonly kind: string;
  readonly bytes: Uint8Array;
  /** True if the frame is sent before HELLO. */
  readonly isFirst: boolean;
  /** True if the peer disconnects before the end of the frame. */
  readonly isCut: boolean;
}

type Random = () => number;
const BIG = 5 * 1024 * 1024;
const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;

const messages = capture('tron-messages').map(([, hex]) => bytesOf(hex));
const frames = capture('tcp-compressed-frames').map(([, hex]) => bytesOf(hex));
const firsts = ['tcp-hello', 'tcp-status'].flatMap((name) => capture(name).map(([, hex]) => bytesOf(hex)));

function flipped(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let flips = 1 + below(random, 4); flips > 0; flips--) copy[below(random, copy.length)]! ^= 1 << below(random, 8);
  return copy;
}

/** Encodes a length of any size as a varint. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}

const LENGTHS: readonly (readonly number[])[] = [
  ...[0, 1, BIG - 1, BIG, BIG + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 35].map(varint),
  [0x80, 0x80, 0x80, 0x80, 0x00],
  new Array<number>(5).fill(0xff),
  new Array<number>(1000).fill(0x80),
];

/** Returns a compressed message whose stated size or content is wrong. */
function lie(random: Random, message: Uint8Array): Uint8Array {
  const data = Buffer.from(message);
  const size = (value: number): Uint8Array =>
    Buffer.concat([Uint8Array.from(varint(value)), snappy.compressSync(data).subarray(varint(data.length).length)]);
  const [type, body] = oneOf<() => [number, Uint8Array]>(random, [
    () => [1, data],
    () => [1, size(oneOf(random, [0, data.length + 1, BIG - 1, BIG, 2 * BIG, 2 ** 31, 2 ** 32 - 1]))],
    () => [1, new Uint8Array(0)],
    () => [0, new Uint8Array(0)],
    () => [below(random, 100), snappy.compressSync(data)],
    () => [1, flipped(random, snappy.compressSync(data))],
  ])();
  return encodeFrame(P2pCompressMessage.encode(Object.assign(new P2pCompressMessage(), { type, data: body })));
}

type Maker = (random: Random) => Pick<MalformedFrame, 'bytes'> & Partial<MalformedFrame>;

/** Functions that create malformed frames, with the name of the fault and its share of all frames. */
const makers: readonly (readonly [kind: string, share: number, make: Maker])[] = [
  [
    'a message with flipped bits',
    0.4,
    (random) => ({ bytes: encodeFrame(...wrapMessage(flipped(random, oneOf(random, messages)))) }),
  ],
  ['a frame with flipped bits', 0.25, (random) => ({ bytes: flipped(random, oneOf(random, frames)) })],
  [
    'a truncated message',
    0.1,
    (random) => {
      const message = oneOf(random, messages);
      return { bytes: encodeFrame(...wrapMessage(message.subarray(0, below(random, message.length)))) };
    },
  ],
  [
    'a truncated frame',
    0.05,
    (random) => {
      const frame = oneOf(random, frames);
      return { bytes: frame.subarray(0, below(random, frame.length)), isCut: true };
    },
  ],
  [
    'a wrong length',
    0.05,
    (random) => ({ bytes: Uint8Array.from([...oneOf(random, LENGTHS), ...oneOf(random, frames)]) }),
  ],
  ['a wrong compression', 0.05, (random) => ({ bytes: lie(random, oneOf(random, messages)) })],
  [
    'a first frame with flipped bits',
    0.06,
    (random) => ({ bytes: flipped(random, oneOf(random, firsts)), isFirst: true }),
  ],
  [
    'a wrong length of the first frame',
    0.02,
    (random) => ({ bytes: Uint8Array.from([...oneOf(random, LENGTHS), 0xfd]), isFirst: true }),
  ],
  [
    'random first bytes',
    0.02,
    (random) => ({
      bytes: Uint8Array.from({ length: 1 + below(random, 300) }, () => below(random, 256)),
      isFirst: true,
    }),
  ],
];

export function malformedFrame(random: Random): MalformedFrame {
  let left = random();
  for (const [kind, share, make] of makers) {
    if (left < share) return { kind, isFirst: false, isCut: false, ...make(random) };
    left -= share;
  }
  return malformedFrame(random);
}
