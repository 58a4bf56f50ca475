import t from 'tap';
import { P2pHelloMessage } from '../../../../src/codec/generated/messages.js';
import {
  decodeFramework,
  encodeGoodbye,
  encodeHello,
  encodeKeepAlive,
  FrameworkType,
  goodbyeName,
} from '../../../../src/p2p/transport/framework-message.js';
import { createNodeId, toEndpoint } from '../../../../src/p2p/transport/node-address.js';

const from = toEndpoint({ id: createNodeId(), ipv4: '1.2.3.4', ipv6: undefined, port: 1 });

t.test('decodes the connection messages that it encodes', async (t) => {
  const hello = decodeFramework(encodeHello(Object.assign(new P2pHelloMessage(), { from, networkId: 7 })), 0);
  t.ok(hello.kind === 'hello' && hello.message.networkId === 7);
  const ping = decodeFramework(encodeKeepAlive('ping', 1234), 1234);
  t.ok(ping.kind === 'ping' && ping.message.timestamp === 1234n);
  const goodbye = decodeFramework(encodeGoodbye('TOO_MANY_PEERS'), 0);
  t.ok(goodbye.kind === 'goodbye' && goodbyeName(goodbye.message.reason) === 'TOO_MANY_PEERS');
  t.equal(goodbyeName(99), 'UNKNOWN');
});

// Reference: P2pException of libp2p. These errors close the connection.
t.test('rejects malformed connection messages', async (t) => {
  const rows: readonly (readonly [code: string, bytes: Uint8Array])[] = [
    ['NO_SUCH_MESSAGE', Uint8Array.of(0xf0)],
    ['NO_SUCH_MESSAGE', new Uint8Array(0)],
    ['BAD_MESSAGE', Uint8Array.of(FrameworkType.hello)],
    ['BAD_MESSAGE', Uint8Array.of(FrameworkType.ping)],
    ['CLOCK_AHEAD', encodeKeepAlive('ping', 2001)],
  ];
  for (const [code, bytes] of rows) t.throws(() => decodeFramework(bytes, 1000), { code });
  t.doesNotThrow(() => decodeFramework(encodeKeepAlive('ping', 2000), 1000));
  t.throws(() => decodeFramework(Uint8Array.of(FrameworkType.hello, 0x0a, 0xff), 0), { name: 'ProtobufError' });
});
