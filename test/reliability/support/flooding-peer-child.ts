import { randomBytes } from 'node:crypto';
import { encodeKeepAlive } from '../../../src/p2p/transport/framework-message.js';
import { WireMessageType } from '../../../src/p2p/wire/message-types.js';
import {
  decodeChainIds,
  encodeChainIds,
  encodeItems,
  encodeMessage,
  encodeSyncRequest,
} from '../../../src/p2p/wire/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { bytesOf, capture } from '../../support/p2p/captures.js';
import { HostilePeer } from './hostile-peer.js';

/**
 * Sends messages of one type to a port as fast as possible for some seconds. Prints the number of messages and of
 * connections. The last argument is a number from 0 to 63, which selects the range of local addresses.
 */
const [, , port = '', networkId = '', name = '', seconds = '', net = ''] = process.argv;
/** Number of messages per write to the socket. */
const BATCH = 50;
const IDS = 100;

/** Opens the state that a flood needs, and returns a function that creates its next message. */
type Flood = (peer: HostilePeer) => Promise<() => Uint8Array>;

const randomIds = (): string[] => Array.from({ length: IDS }, () => toHex(randomBytes(32)));
const captured = new Map(capture('tron-messages').map(([label, hex]) => [label, bytesOf(hex)]));
const same =
  (label: string): Flood =>
  async () =>
  () =>
    captured.get(label)!;

const floods: Readonly<Record<string, Flood>> = {
  'INVENTORY of blocks': async () => () => encodeItems('INVENTORY', { kind: 'block', ids: randomIds() }),
  'INVENTORY of transactions': async () => () => encodeItems('INVENTORY', { kind: 'transaction', ids: randomIds() }),
  'FETCH_INV_DATA, behind': async (peer) => {
    const genesis = { hex: toHex(peer.hello.genesisBlockId!.hash), number: 0 };
    peer.say(encodeSyncRequest([genesis]));
    const body = await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY);
    const known = body === undefined ? [] : decodeChainIds(body).ids.slice(1);
    let at = 0;
    // Returns each message once, then starts again with the first one. When a message is repeated, the node ends the
    // connection.
    return () =>
      encodeItems('FETCH_INV_DATA', {
        kind: 'block',
        ids: [known[at++ % Math.max(1, known.length)]?.hex ?? genesis.hex],
      });
  },
  'FETCH_INV_DATA of transactions': async () => () =>
    encodeItems('FETCH_INV_DATA', { kind: 'transaction', ids: randomIds() }),
  'SYNC_BLOCK_CHAIN of known ids': async (peer) => {
    const genesis = { hex: toHex(peer.hello.genesisBlockId!.hash), number: 0 };
    const head = { hex: toHex(peer.hello.headBlockId!.hash), number: Number(peer.hello.headBlockId!.number) };
    return () => encodeSyncRequest([genesis, head]);
  },
  BLOCK_CHAIN_INVENTORY: async () => () => encodeChainIds({ ids: [{ hex: randomIds()[0]!, number: 1 }], remaining: 0 }),
  BLOCK: same('BLOCK_one_tx'),
  TRXS: same('TRXS_twenty'),
  PBFT_COMMIT_MSG: same('PBFT_COMMIT_MSG_block'),
  PBFT_MSG: same('PBFT_MSG_prepare_block'),
  P2P_HELLO: same('P2P_HELLO_full_node'),
  P2P_DISCONNECT: same('P2P_DISCONNECT_TIME_OUT'),
  P2P_PING: same('P2P_PING'),
  P2P_PONG: same('P2P_PONG'),
  'keep-alive ping': async () => () => encodeKeepAlive('ping', 1),
  'an unknown message type': async () => () => encodeMessage('P2P_PING', Uint8Array.of(1)).fill(0x55, 0, 1),
};

if (name === '') {
  process.stdout.write(`${JSON.stringify(Object.keys(floods))}\n`);
  process.exit(0);
}
const flood = floods[name]!;
const end = performance.now() + 1000 * Number(seconds);
let [messages, connections] = [0, 0];
while (performance.now() < end) {
  // Each connection has a local address that is not banned yet.
  const at = ++connections;
  const from = `127.${100 + Number(net)}.${(at >> 8) & 255}.${at & 255}`;
  const isBehind = name.includes('behind');
  const peer = await HostilePeer.dial({ port: Number(port), networkId: Number(networkId), from, isBehind }).catch(
    () => undefined,
  );
  if (peer === undefined) continue;
  const next = await flood(peer);
  while (!peer.raw.isEnded && performance.now() < end) {
    await peer.sayAll(Array.from({ length: BATCH }, next));
    if (!peer.raw.isEnded) messages += BATCH;
    // Lets the event loop run, so that the close event can arrive.
    await new Promise((resolve) => setImmediate(resolve));
    peer.raw.frames.length = 0;
  }
  peer.close();
}
process.stdout.write(`${JSON.stringify({ messages, connections })}\n`);
process.exit(0);
