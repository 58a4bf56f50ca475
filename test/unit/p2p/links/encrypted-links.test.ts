import t, { type Test } from 'tap';
import { EncryptedLinks, PEER_PROTOCOL } from '../../../../src/p2p/links/encrypted-links.js';
import { createHostKey, type LinkHost, openLinkHost } from '../../../../src/p2p/links/libp2p-host.js';
import type { ByteLink } from '../../../../src/p2p/links/stream-socket.js';
import { NETWORK, type Side, side } from '../../../support/p2p/side.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { until } from '../../../support/until.js';

const TCP = '/ip4/127.0.0.1/tcp/0';
const WEB_SOCKET = `${TCP}/ws`;

interface Linked extends Side {
  readonly host: LinkHost;
}

interface LinkedOptions {
  readonly listen?: readonly string[];
  readonly peers?: readonly string[];
  readonly networkId?: number;
}

/** Starts a node that listens only on encrypted links. */
async function linked(t: Test, { listen = [], peers = [], networkId = NETWORK }: LinkedOptions): Promise<Linked> {
  // Trusts all addresses. Otherwise, an address is banned for a minute after its connection has ended.
  const made = await side(t, { listenPort: 0, networkId, isTrusted: () => true });
  const host = await openLinkHost({ listen, key: await createHostKey(), connectionsMax: 10 });
  const links = new EncryptedLinks({ host, transport: made.transport, peers, log: silentLog, redialMs: 50 });
  await links.start();
  t.teardown(() => links.close());
  return { ...made, host };
}

for (const address of [TCP, WEB_SOCKET]) {
  t.test(`exchanges messages in both directions over ${address}`, async (t) => {
    const server = await linked(t, { listen: [address] });
    const client = await linked(t, { peers: server.host.addresses });
    await Promise.all([server, client].map(({ connected, wait }) => wait(() => connected.length === 1)));
    const [there] = server.connected;
    const [here] = client.connected;
    t.match(there, { host: '127.0.0.1', isActive: false, nodeId: client.id });
    t.match(here, { host: '127.0.0.1', isActive: true, nodeId: server.id });
    here?.send(Uint8Array.of(1, 2, 3));
    there?.send(Uint8Array.of(4, 5));
    await server.wait(() => server.messages.length === 1);
    await client.wait(() => client.messages.length === 1);
    t.same([server.messages, client.messages], [['010203'], ['0405']]);
    const long = new Uint8Array(4_000_000).fill(7);
    for (let i = 0; i < 5; i++) here?.send(long);
    await server.wait(() => server.messages.length === 6);
    t.equal(server.messages[5]?.length, 2 * long.length, 'messages larger than the window of the link');
    there?.close();
    await client.wait(() => client.disconnected.length === 1);
    await server.wait(() => server.disconnected.length === 1);
  });
}

t.test('dials a disconnected peer again', async (t) => {
  const server = await linked(t, { listen: [TCP] });
  const client = await linked(t, { peers: server.host.addresses });
  await client.wait(() => client.connected.length === 1);
  client.connected[0]?.end();
  await server.wait(() => server.disconnected.length === 1);
  await client.wait(() => client.connected.length === 2);
  t.equal(server.connected.length, 2);
});

t.test('rejects a node of another network or with another key', async (t) => {
  const server = await linked(t, { listen: [TCP] });
  const unknown = await linked(t, { peers: server.host.addresses, networkId: NETWORK + 1 });
  await server.wait(() => server.disconnected.length === 1);
  t.same([server.connected, unknown.connected], [[], []]);
  const other = await linked(t, {});
  const wrong = server.host.addresses[0]!.replace(/[^/]+$/, otherId(await linked(t, { listen: [TCP] })));
  await t.rejects(other.host.dial(wrong, PEER_PROTOCOL));
});

t.test('opens one stream per connection', async (t) => {
  const [key, otherKey] = await Promise.all([createHostKey(), createHostKey()]);
  const server = await openLinkHost({ listen: [TCP], key, connectionsMax: 10 });
  const client = await openLinkHost({ listen: [], key: otherKey, connectionsMax: 10 });
  t.teardown(() => Promise.all([server.close(), client.close()]));
  const accepted: ByteLink[] = [];
  const protocol = '/test/1';
  await server.serve(protocol, (link) => accepted.push(link.on('error', () => undefined).resume()));
  const [address] = server.addresses as [string];
  // Parallel dials to one address must use the same connection.
  const links = await Promise.all([1, 2, 3].map(() => client.dial(address, protocol)));
  await until('one connection was accepted', () => accepted.length > 0);
  await t.rejects(client.dial(address, '/test/2'), 'an unknown protocol');
  t.equal(accepted.length, 1);
  for (const link of links) link.on('error', () => undefined).destroy();
  await until('the peer has disconnected', () => accepted[0]?.destroyed === true);
  const again = await client.dial(address, protocol);
  await until('another connection is accepted', () => accepted.length === 2);
  again.destroySoon();
  await until(
    'the stream ends without an error',
    () => accepted[1]?.readableEnded === true && accepted[1].errored === null,
  );
});

function otherId({ host }: Linked): string {
  return host.addresses[0]!.split('/').at(-1)!;
}
