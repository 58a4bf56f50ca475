import { P2pStatusMessage } from '../../../../src/codec/generated/messages.js';
import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { encodeGoodbye, encodeStatus } from '../../../../src/p2p/transport/framework-message.js';
import { createNodeId, toEndpoint } from '../../../../src/p2p/transport/node-address.js';
import { encodeMessage } from '../../../../src/p2p/wire/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { NETWORK } from '../../../support/peers/peer-node.js';
import type { RandomChoices } from '../../differential/random-choices.js';
import { Endings } from '../../support/endings.js';
import { type Act, greet } from '../act.js';
import { appear } from './dialled.js';

/** Maximum time in ms until a discovered node receives a status request. The nodes send these requests every 5 s. */
const ROUND_MS = 7000;

/** Configuration in which nodes send a status request before they dial. */
export const DETECTING = 'node.nodeDetectEnable = true\nnode.minConnections = 0\nnode.minActiveConnections = 0';

const answers: Readonly<Record<string, (random: RandomChoices) => Uint8Array>> = {
  'a status': (random) => status({ maxConnections: 30, currentConnections: random.pick([0, 29, 30]) }),
  'an unusual status': (random) =>
    status(
      random.pick([
        { maxConnections: -1, currentConnections: 5 },
        { maxConnections: 2 ** 31 - 1, currentConnections: -1 },
        { networkId: 1 },
        { version: 99 },
        { timestamp: random.pick([0n, -1n, 2n ** 62n, BigInt(Date.now()) + 60_000n]) },
        { from: undefined },
        { from: toEndpoint({ id: '00', ipv4: '127.0.0.1', ipv6: undefined, port: 1 }) },
        { from: toEndpoint({ id: createNodeId(), ipv4: 'x', ipv6: undefined, port: 1 }) },
      ]),
    ),
  'two statuses': () => Buffer.concat([status({}), status({})]),
  'a ping of the application': () => encodeFrame(encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
  'an unknown type': (random) => encodeFrame(Uint8Array.of(random.pick([0, 0x7f, 0x80, 0x90]), 1, 2)),
  'a goodbye': () => encodeFrame(encodeGoodbye('TOO_MANY_PEERS')),
  'an empty message': () => Uint8Array.of(0),
  garbage: (random) => encodeFrame(Uint8Array.from([0xfc, ...random.bytes(1 + random.below(40))])),
};

function status(changes: Partial<P2pStatusMessage>): Uint8Array {
  const message = Object.assign(new P2pStatusMessage(), {
    from: toEndpoint({ id: createNodeId(), ipv4: '127.0.0.1', ipv6: undefined, port: 1 }),
    version: 1,
    networkId: NETWORK,
    maxConnections: 30,
    currentConnections: 1,
    timestamp: BigInt(Date.now()),
    ...changes,
  });
  return encodeFrame(encodeStatus(message));
}

/**
 * Both nodes discover a node and send it a status request. The node answers correctly or not, and may connect to them.
 */
export const detections: Act = async (stage) => {
  const { random } = stage;
  const host = stage.host();
  const endings = new Endings();
  try {
    const callee = await appear(stage, { host }, endings);
    const [name, words] = random.pick(Object.entries(answers));
    const text = words(random);
    stage.story.push(`the node answers with ${name}: ${toHex(text).slice(0, 300)}`);
    if (!(await stage.answerDials('f', callee, ROUND_MS, text))) return;
    await stage.compare({ quietMs: 200 });
    if (stage.isThere('f')) await stage.leave('f');
    await greet(stage, 'connects to the nodes', {}, host);
  } finally {
    await endings.run();
  }
};
