import { PBFTCommitResult, PBFTMessage, PBFTMessageRaw } from '../../../../src/codec/generated/messages.js';
import { wrapMessage } from '../../../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { encodeGoodbye, encodeKeepAlive } from '../../../../src/p2p/transport/framework-message.js';
import { encodeMessage } from '../../../../src/p2p/wire/messages.js';
import { concatBytes, varint } from '../../../../src/primitives/bytes.js';
import { type Act, firstHello, join } from '../act.js';
import { helloOf, sayHello } from '../said.js';
import type { Stage } from '../stage.js';

type Words = (stage: Stage) => Uint8Array;

const wrapped = (message: Uint8Array): Uint8Array => encodeFrame(...wrapMessage(message));
const compressed = (type: number, data: Uint8Array): Uint8Array =>
  encodeFrame(Uint8Array.from([0x08, ...varint(type), 0x12, ...varint(data.length)]), data);

/** Messages after the handshake that are unknown or invalid, by description. */
const words: Readonly<Record<string, Words>> = {
  ping: () => wrapped(encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
  'malformed ping': ({ random }) => wrapped(encodeMessage('P2P_PING', random.bytes(random.below(5)))),
  pong: ({ random }) => wrapped(encodeMessage('P2P_PONG', random.bytes(random.below(3)))),
  'a keep-alive': ({ random }) =>
    wrapped(
      encodeKeepAlive(
        random.pick(['ping', 'pong'] as const),
        random.pick([Date.now(), 0, -1, Date.now() + 900, Date.now() + 60_000]),
      ),
    ),
  'a disconnect': ({ random }) =>
    wrapped(
      concatBytes(
        Uint8Array.of(0x21),
        random.pick([new Uint8Array(0), Uint8Array.of(8, 2), Uint8Array.of(8, 0x55), random.bytes(4)]),
      ),
    ),
  'a goodbye': () => wrapped(encodeGoodbye('RANDOM_ELIMINATION')),
  'a second HELLO': ({ nodes }) => wrapped(sayHello(helloOf(nodes.ours))),
  'a second HELLO of the connection layer': () => firstHello(),
  'a HELLO of the connection layer, wrapped': () => wrapped(firstHello().subarray(1)),
  'a status': (stage) => {
    // After this message, java-tron does not detect that the peer disconnects. So java-tron is restarted after this
    // act.
    stage.requestRestart();
    return wrapped(concatBytes(Uint8Array.of(0xfc), firstHello().subarray(2)));
  },
  'a type': ({ random }) => wrapped(concatBytes(Uint8Array.of(random.below(256)), random.bytes(random.below(30)))),
  'a known type': ({ random }) =>
    wrapped(
      concatBytes(
        Uint8Array.of(random.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 0x10, 0x11, 0x12, 0x13, 0x14, 0x20, 0x21, 0x34])),
        random.bytes(random.below(30)),
      ),
    ),
  'an empty body': ({ random }) =>
    wrapped(Uint8Array.of(random.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 0x10, 0x14, 0x20, 0x21, 0x22, 0x23, 0x34]))),
  'an empty frame': () => Uint8Array.of(0),
  'an empty message': () => encodeFrame(Uint8Array.of(0x12, 0)),
  'no data': ({ random }) => compressed(random.below(2), new Uint8Array(0)),
  'a bare message': () => encodeFrame(encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
  'an unknown compression': ({ random }) =>
    compressed(random.pick([2, 3, 77]), encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
  'a wrong compression': () => compressed(1, encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
  'a large frame': ({ random }) =>
    Uint8Array.from(varint(random.pick([5 * 1024 * 1024, 5 * 1024 * 1024 + 1, 2 ** 30]))),
  'a negative length': () => Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f),
  'a length of six bytes': () => Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
  'unknown fields': ({ random }) =>
    wrapped(concatBytes(Uint8Array.of(random.pick([6, 7, 8, 9])), Uint8Array.of(0xfa, 0x06, 1, 2))),
  'a vote': (stage) => wrapped(encodeMessage('PBFT_MSG', vote(stage))),
  'a proof': (stage) => wrapped(encodeMessage('PBFT_COMMIT_MSG', proof(stage))),
};

function rawVote({ random, nodes }: Stage): PBFTMessageRaw {
  return Object.assign(new PBFTMessageRaw(), {
    msgType: random.below(6),
    dataType: random.below(3),
    viewN: BigInt(nodes.ours.headNumber) + BigInt(random.between(-3, 30)),
    epoch: random.pick([0n, 2_000_000_000_000n, 1_691_193_600_000n]),
    data: random.pick([nodes.ours.node.chain.ledger.position.headId, random.bytes(32), random.bytes(3)]),
  });
}

function vote(stage: Stage): Uint8Array {
  const { random } = stage;
  const rawData = random.chance(0.9) ? rawVote(stage) : undefined;
  return PBFTMessage.encode(
    Object.assign(new PBFTMessage(), { rawData, signature: random.bytes(random.pick([0, 64, 65, 65, 65])) }),
  );
}

function proof(stage: Stage): Uint8Array {
  const { random } = stage;
  const data = random.chance(0.8) ? PBFTMessageRaw.encode(rawVote(stage)) : random.bytes(5);
  const signature = Array.from({ length: random.below(4) }, () => random.bytes(65));
  return PBFTCommitResult.encode(Object.assign(new PBFTCommitResult(), { data, signature }));
}

export const strangeWords: Act = async (stage) => {
  const { random } = stage;
  await join(stage, 'a', random.pick(['in sync', 'in sync', 'behind', 'ahead'] as const));
  for (let times = 1 + random.below(4); times > 0 && !stage.hasEnded('a'); times--) {
    const [name, say] = random.pick(Object.entries(words));
    const bytes = say(stage);
    // After the length prefix of a large frame, the node waits for the rest of the frame and would not answer a ping.
    const isOpen = name === 'a large frame';
    await stage.write('a', `${name} ${Buffer.from(bytes).toString('hex').slice(0, 200)}`, bytes, { isPinged: !isOpen });
  }
};
