import t from 'tap';
import { isJsonType, LOCAL_SOURCES, RequestSources } from '../../../../../src/api/http/server/request-sources.js';

const page = 'https://explorer.example';
const devnet = new RequestSources({ origins: [page], hosts: ['Node.example', '127.0.0.1'], servesLocalPages: true });
const network = new RequestSources({ origins: [page], hosts: ['0.0.0.0'], servesLocalPages: false });
const open = new RequestSources({ origins: ['*'], hosts: [], servesLocalPages: false });

/** Origins as browsers send them. The value is true for a page of this machine. */
const ORIGINS: readonly (readonly [origin: string, isLocal: boolean])[] = [
  ['http://localhost', true],
  ['http://localhost:3000', true],
  ['https://LOCALHOST:3000', true],
  ['http://app.localhost:8080', true],
  ['http://127.0.0.1:5173', true],
  ['http://127.8.9.10', true],
  ['http://[::1]:3000', true],
  ['null', false],
  ['', false],
  ['file://', false],
  ['https://evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://evil.example/localhost', false],
  ['http://evil-localhost', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://127.0.0.1@evil.example', false],
  ['http://127.evil.example', false],
  ['http://[::2]', false],
  ['http://0.0.0.0:8545', false],
  ['chrome-extension://localhost', false],
];

t.test('distinguishes web pages of this machine from others', async (t) => {
  for (const [origin, isLocal] of ORIGINS) {
    t.equal(devnet.mayRead(origin), isLocal, origin);
    t.equal(network.mayRead(origin), false, origin);
    t.equal(devnet.mayConnect({ origin, host: 'localhost' }), isLocal, origin);
    t.equal(network.mayConnect({ origin, host: 'localhost' }), isLocal, origin);
    t.equal(devnet.changeRefusal({ origin, host: 'localhost:8545' }) === undefined, isLocal, origin);
    t.equal(open.mayRead(origin), true, origin);
  }
});

t.test('accepts configured origins and programs without an origin', async (t) => {
  for (const sources of [devnet, network]) {
    t.ok(sources.mayRead(page));
    t.ok(sources.mayConnect({ origin: page, host: 'localhost' }));
    t.notOk(sources.mayRead(`${page}.evil.example`));
  }
  t.ok(LOCAL_SOURCES.mayConnect({ host: 'localhost' }));
  t.ok(
    LOCAL_SOURCES.mayConnect({ origin: 'http://node.example:8080', host: 'node.example:8080' }),
    'the page of this node',
  );
  t.notOk(LOCAL_SOURCES.mayConnect({ origin: 'http://node.example:3000', host: 'node.example:8080' }));
  t.same(
    [LOCAL_SOURCES, devnet, network, open].map(({ servesPages }) => servesPages),
    [false, true, true, true],
  );
});

t.test('recognises the names of this node in the Host header', async (t) => {
  for (const [host, isOwn] of [
    [undefined, true],
    ['localhost', true],
    ['localhost:8545', true],
    ['localhost.', true],
    ['a.b.localhost:1', true],
    ['127.0.0.1:8545', true],
    ['[::1]:8545', true],
    ['node.example:8545', true],
    ['evil.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.nip.io', false],
    ['192.0.2.7:8545', false],
    ['[::2]:8545', false],
    ['', false],
    ['a:b:c', false],
  ] as const)
    t.equal(devnet.isOwnHost(host), isOwn, String(host));
  t.equal(network.isOwnHost('192.0.2.7:8545'), true, 'an address of a node that listens on all interfaces');
  t.equal(network.isOwnHost('[2001:db8::1]'), true);
  t.equal(network.isOwnHost('evil.example'), false);
});

t.test('a rejected request gets the reason in the answer', async (t) => {
  t.match(
    devnet.changeRefusal({ host: 'evil.example' }),
    /evil\.example is not a name of this node.*tronicle\.api\.hosts/,
  );
  const origin = 'http://evil.example:8545';
  t.match(devnet.changeRefusal({ host: 'localhost', origin }), /pages of http:\/\/evil\.example:8545/);
  t.match(
    devnet.changeRefusal({ host: 'evil.example:8545', origin }),
    /not a name/,
    'the page of this node through DNS rebinding',
  );
});

t.test('accepts only JSON types that need a preflight request', async (t) => {
  for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json;charset=UTF-8'])
    t.ok(isJsonType(type), type);
  for (const type of [undefined, '', 'text/plain', 'text/plain; application/json', 'application/jsonx', 'text/json'])
    t.notOk(isJsonType(type), String(type));
});
