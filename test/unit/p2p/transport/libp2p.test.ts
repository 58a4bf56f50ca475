import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { P2pDisconnectMessage, P2pHelloMessage } from '../../../../src/codec/generated/messages.js';
import { libp2p120, libp2p228, type TransportRules } from '../../../../src/p2p/releases/transport-rules.js';
import { unwrapMessage } from '../../../../src/p2p/transport/compression.js';
import { FRAME_BYTES_MAX } from '../../../../src/p2p/transport/frames.js';
import { FrameworkType, goodbyeName } from '../../../../src/p2p/transport/framework-message.js';
import { bytesOf } from '../../../support/p2p/captures.js';
import { RawPeer } from '../../../support/p2p/raw-peer.js';
import { side } from '../../../support/p2p/side.js';
import { until } from '../../../support/until.js';
import recorded from './libp2p.vectors.json' with { type: 'json' };

/** Timestamp in all HELLO messages of the recording. */
const TIMESTAMP_MS = 777n;
/** First bytes of messages that are sent without a frame. No frame starts with these bytes. */
const BARE: ReadonlySet<number> = new Set([...Object.values(FrameworkType), 0x23]);
/** Waiting time in ms after the last frame of an open connection. Further data would arrive in this time. */
const QUIET_MS = 100;

const rulesOf: Readonly<Record<string, TransportRules>> = { '1.2.0': libp2p120, '2.2.8': libp2p228 };

function textOf(frame: Uint8Array): string {
  const isBare = BARE.has(frame[0]!);
  const message = isBare ? frame : unwrapMessage(frame, FRAME_BYTES_MAX);
  return `${isBare ? '' : 'w:'}${plainText(message)}`;
}

function plainText(message: Uint8Array): string {
  const body = message.subarray(1);
  if (message[0] === FrameworkType.hello) {
    const { code, version, networkId, timestamp } = P2pHelloMessage.decode(body);
    return `HELLO code=${code} v=${version} net=${networkId} t=${timestamp === TIMESTAMP_MS ? 'echo' : 'own'}`;
  }
  if (message[0] !== FrameworkType.goodbye) return message[0]!.toString(16);
  return `BYE ${goodbyeName(P2pDisconnectMessage.decode(body).reason)}(${message.length})`;
}

/**
 * Sends the messages of a recorded connection and returns the answers.
 * @param expected answers in the recording, which decide how long to wait
 */
async function exchange(
  port: number,
  says: readonly string[],
  expected: readonly string[],
): Promise<readonly string[]> {
  const peer = await RawPeer.dial(port);
  for (const hex of says) {
    peer.write(bytesOf(hex));
    // Waits for the answer before the next message is sent, as in the recording.
    await sleep(10);
  }
  if (expected.at(-1) === 'closed') await peer.ended();
  else {
    await until('all answers', () => peer.frames.length >= expected.length - 1);
    await sleep(QUIET_MS);
  }
  const end = peer.isEnded ? 'closed' : 'open';
  peer.close();
  return [...peer.frames.map(textOf), end];
}

for (const version of ['1.2.0', '2.2.8'] as const) {
  t.test(`matches the connections of libp2p ${version}`, async (t: Test) => {
    const node = await side(t, {
      rules: rulesOf[version]!,
      isTrusted: () => true,
      handler: {
        connected: () => undefined,
        disconnected: () => undefined,
        message: (channel, [type]) => {
          if (type === 0x22) channel.send(bytesOf('23c0'));
        },
      },
    });
    const results = await Promise.all(
      recorded.cases.map(({ says, hears: expected }) => exchange(node.port, says, expected[version])),
    );
    for (const [at, { name, hears }] of recorded.cases.entries()) t.same(results[at], hears[version], name);
    t.equal(results.length, 38);
  });
}
