import t from 'tap';
import {
  DATAGRAM_BYTES_MAX,
  type DiscoveryMessage,
  decodeDiscovery,
  encodeDiscovery,
} from '../../../../src/p2p/discovery/discovery-message.js';
import { createNodeId } from '../../../../src/p2p/transport/node-address.js';

const node = (host: string, port = 5) => ({ id: createNodeId(), ipv4: host, ipv6: undefined, port });
const from = node('1.1.1.1');

t.test('decodes the datagrams that it encodes', async (t) => {
  const messages: readonly DiscoveryMessage[] = [
    { kind: 'ping', from, to: node('2.2.2.2'), networkId: 7, timeMs: 9 },
    { kind: 'pong', from, networkId: 7, timeMs: 9 },
    { kind: 'findNode', from, target: createNodeId(), timeMs: 9 },
    { kind: 'neighbours', from, nodes: [node('2.2.2.2'), node('3.3.3.3')], timeMs: 9 },
  ];
  for (const message of messages) t.same(decodeDiscovery(encodeDiscovery(message)), message, message.kind);
});

// Reference: P2pPacketDecoder, and the method valid() of each message.
t.test('rejects datagrams that java-tron drops', async (t) => {
  const rows: readonly (readonly [code: string, bytes: Uint8Array])[] = [
    ['BIG_MESSAGE', new Uint8Array(1)],
    ['BIG_MESSAGE', new Uint8Array(DATAGRAM_BYTES_MAX)],
    ['NO_SUCH_MESSAGE', Uint8Array.of(9, 0)],
    ['BAD_MESSAGE', encodeDiscovery({ kind: 'pong', from: node('999.1.1.1'), networkId: 1, timeMs: 1 })],
    ['BAD_MESSAGE', encodeDiscovery({ kind: 'pong', from: node('1.1.1.1', 70_000), networkId: 1, timeMs: 1 })],
    ['BAD_MESSAGE', encodeDiscovery({ kind: 'findNode', from, target: 'aa', timeMs: 1 })],
    [
      'BAD_MESSAGE',
      encodeDiscovery({ kind: 'neighbours', from, nodes: new Array(17).fill(node('2.2.2.2')), timeMs: 1 }),
    ],
  ];
  for (const [code, bytes] of rows) t.throws(() => decodeDiscovery(bytes), { code });
});
