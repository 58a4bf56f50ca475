import t, { type Test } from 'tap';
import { BoundedCache } from '../../../../src/p2p/bounded-cache.js';
import { DnsTree } from '../../../../src/p2p/dns/dns-tree.js';
import { textLookUp } from '../../../../src/p2p/dns/look-up-text.js';
import { urlOfTree } from '../../../../src/p2p/dns/make-tree.js';
import { AlidnsZone } from '../../../../src/p2p/dns/publish/alidns-zone.js';
import type { DnsZone } from '../../../../src/p2p/dns/publish/dns-zone.js';
import { Route53Zone } from '../../../../src/p2p/dns/publish/route53-zone.js';
import { TreePublisher, type TreePublisherOptions } from '../../../../src/p2p/dns/publish/tree-publisher.js';
import type { NodeAddress } from '../../../../src/p2p/transport/node-address.js';
import { serveDns } from '../../../support/p2p/dns/dns-server.js';
import { fakeAlidns } from '../../../support/p2p/dns/fake-alidns.js';
import { fakeRoute53 } from '../../../support/p2p/dns/fake-route53.js';
import { ACCESS_KEY_ID, SECRET } from '../../../support/p2p/dns/fake-zone.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { until } from '../../../support/until.js';

const DOMAIN = 'nodes.example.org';
const KEY = 'b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291';
const LINK = 'tree://APFGGTFOBVE2ZNAB3CSMNNX6RRK3ODIRLP2AA5U4YFAA6MSYZUYTQ@other.example.org';
const keys = { domain: DOMAIN, accessKeyId: ACCESS_KEY_ID, accessKeySecret: SECRET };

const nodeAt = (i: number): NodeAddress => ({
  id: '',
  ipv4: `9.0.${i >> 8}.${i & 255}`,
  ipv6: undefined,
  port: 18_888,
});
const nodesOf = (count: number, from = 1): readonly NodeAddress[] =>
  Array.from({ length: count }, (_, i) => nodeAt(from + i));

interface Fixture {
  readonly zone: (wrong?: Partial<typeof keys>) => DnsZone;
  /** Returns the strings of the TXT record of a name, as a DNS server does. Undefined for a name without a record. */
  readonly texts: (name: string) => readonly string[] | undefined;
  readonly count: () => number;
  readonly add: (name: string, text: string) => void;
  readonly fail: (times: number) => void;
}

const providers: Readonly<Record<string, (t: Test) => Promise<Fixture>>> = {
  'Route 53': async (t) => {
    const { endpoint, stored, state } = await fakeRoute53(t);
    return {
      zone: (wrong) =>
        new Route53Zone({ ...keys, ...wrong, region: 'us-east-1', zoneId: undefined, endpoint, pollMs: 1 }),
      texts: (name) => {
        const value = stored.get(`${name.toLowerCase()}. TXT`)?.value;
        return value === undefined ? undefined : [...value.matchAll(/"([^"]*)"/g)].map(([, text]) => text!);
      },
      count: () => stored.size,
      add: (name, text) => {
        const full = name === '@' ? `${DOMAIN}.` : `${name}.${DOMAIN}.`;
        stored.set(`${full} TXT`, { name: full, type: 'TXT', ttl: 60, value: `"${text}"` });
      },
      // Makes the next requests fail. The SDK repeats a failed request, so each failure needs three rejections.
      fail: (times) => void Object.assign(state, { refusals: times * 3 }),
    };
  },
  'Alibaba Cloud DNS': async (t) => {
    const { endpoint, stored, state } = await fakeAlidns(t, DOMAIN);
    return {
      zone: (wrong) => new AlidnsZone({ ...keys, ...wrong, endpoint }),
      texts: (name) => {
        const label = name === DOMAIN ? '@' : name.slice(0, -DOMAIN.length - 1).toLowerCase();
        const text = [...stored.values()].find(({ RR }) => RR === label)?.Value;
        return text === undefined ? undefined : [text.slice(0, 255), text.slice(255)];
      },
      count: () => stored.size,
      add: (RR, Value) => void stored.set(`x${RR}`, { RecordId: `x${RR}`, RR, Type: 'TXT', Value, TTL: 60 }),
      fail: (times) => void Object.assign(state, { failures: times }),
    };
  },
};

function publisherOf(
  t: Test,
  zone: DnsZone,
  nodes: { list: readonly NodeAddress[] },
  more: Partial<TreePublisherOptions> = {},
) {
  const publisher = new TreePublisher({
    zone,
    domain: DOMAIN,
    privateKey: KEY,
    nodes: () => nodes.list,
    isStatic: false,
    links: [LINK],
    nodesPerLeaf: 5,
    changeThreshold: 0.1,
    log: silentLog,
    ...more,
  });
  t.teardown(() => publisher.close());
  return publisher;
}

/** Returns a logger that stores its lines, and these lines. */
function recordedLog() {
  const lines: string[] = [];
  const logLine = (...parts: unknown[]): void => void lines.push(JSON.stringify(parts));
  return { lines, log: { ...silentLog, info: logLine, warn: logLine, error: logLine } as unknown as typeof silentLog };
}

for (const [provider, open] of Object.entries(providers)) {
  t.test(`${provider}: reads back the published tree and updates it when nodes change`, async (t) => {
    const fixture = await open(t);
    const nodes = { list: nodesOf(203) };
    const publisher = publisherOf(t, fixture.zone(), nodes);
    const { server } = await serveDns(t, fixture.texts);
    const lookUp = textLookUp({ servers: [server], hasIpv4: () => true });
    const cache = new BoundedCache<never>({ entriesMax: 2000, now: () => 0 });
    const tree = new DnsTree({ url: urlOfTree(KEY, DOMAIN), lookUp, cache, isClosed: () => false });
    const ports = async (): Promise<readonly string[]> => {
      await tree.read();
      return tree.nodes.map(({ ipv4 }) => ipv4!).sort();
    };
    const expected = () => nodes.list.map(({ ipv4 }) => ipv4!).sort();
    fixture.add('old', 'some other text of the domain');
    t.equal(await publisher.publish(), true);
    t.same(await ports(), expected());
    // The tree has 41 leaves, 4 branches, one branch above them, the link, and the root.
    t.equal(fixture.count(), 41 + 5 + 1 + 1, 'the old tree was deleted');

    const [root] = fixture.texts(DOMAIN)!;
    nodes.list = nodesOf(203, 10);
    t.equal(await publisher.publish(), false, '18 of 203 nodes changed');
    t.equal(fixture.texts(DOMAIN)![0], root);

    nodes.list = nodesOf(203, 12);
    t.equal(await publisher.publish(), true, '22 of 203 nodes changed');
    t.same(await ports(), expected());
    t.equal(fixture.count(), 41 + 5 + 1 + 1);
  });

  t.test(`${provider}: retries after an error and logs no secret`, async (t) => {
    const fixture = await open(t);
    const { lines, log } = recordedLog();
    const nodes = { list: nodesOf(3) };
    for (const wrong of [{ accessKeyId: 'AKIAWRONGWRONG' }, { accessKeySecret: 'the wrong secret' }]) {
      const publisher = publisherOf(t, fixture.zone(wrong), nodes, { isStatic: true, log });
      lines.length = 0;
      publisher.start();
      await until('the error is logged', () => lines.length > 0);
      t.match(lines[0], wrong.accessKeyId ? /InvalidClientTokenId|InvalidAccessKeyId/ : /SignatureDoesNotMatch/);
      t.equal(lines.length, 1, 'one error line');
      for (const secret of [KEY, ...Object.values(wrong), ACCESS_KEY_ID, SECRET])
        t.notOk(lines[0]!.includes(secret), 'the error contains no secret');
    }
    const publisher = publisherOf(t, fixture.zone(), nodes);
    fixture.fail(1);
    await t.rejects(publisher.publish(), { code: 'DNS_PUBLISH' });
    t.equal(fixture.count(), 0);
    t.equal(await publisher.publish(), true);
    t.equal(fixture.count(), 1 + 1 + 1);
  });

  t.test(`${provider}: does not change a domain with other content`, async (t) => {
    const fixture = await open(t);
    fixture.add('@', 'v=spf1 -all');
    await t.rejects(publisherOf(t, fixture.zone(), { list: nodesOf(3) }).publish(), { code: 'DNS_TREE' });
    t.equal(fixture.count(), 1);
  });
}

t.test('Route 53: publishes leaves before the root, in batches of bounded size', async (t) => {
  const { endpoint, state } = await fakeRoute53(t);
  const nodes = { list: nodesOf(700) };
  const zone = new Route53Zone({ ...keys, region: 'us-east-1', zoneId: undefined, endpoint, pollMs: 1 });
  const publisher = publisherOf(t, zone, nodes, { nodesPerLeaf: 1 });
  await publisher.publish();
  t.ok(state.batches.length > 1);
  nodes.list = nodesOf(700, 200);
  state.batches.length = 0;
  await publisher.publish();
  const actions = state.batches.flat().map((change) => change.split(' ')[0]);
  t.same(new Set(actions), new Set(['CREATE', 'UPSERT', 'DELETE']));
  t.equal(state.batches.flat().filter((change) => change.startsWith('UPSERT'))[0], `UPSERT ${DOMAIN}`);
  t.same(
    actions,
    [...actions].sort((a, b) => 'CUD'.indexOf(a![0]!) - 'CUD'.indexOf(b![0]!)),
  );
});

t.test('Route 53: reports a domain without a zone', async (t) => {
  const { endpoint } = await fakeRoute53(t, 'example.com.');
  const zone = new Route53Zone({ ...keys, region: 'us-east-1', zoneId: undefined, endpoint });
  t.teardown(() => zone.close());
  await zone.check();
  await t.rejects(zone.records(), { code: 'DNS_PUBLISH', message: /no hosted zone/ });
});

t.test('Alibaba Cloud DNS: reads records in pages and retries a change', async (t) => {
  const { endpoint, requests, state, stored } = await fakeAlidns(t, DOMAIN);
  const publisher = publisherOf(t, new AlidnsZone({ ...keys, endpoint }), { list: nodesOf(203) });
  await publisher.publish();
  requests.length = 0;
  t.equal(await publisher.publish(), false);
  t.same(
    requests.map((params) => `${params.get('Action')} ${params.get('PageNumber')} ${params.get('PageSize')}`),
    [1, 2, 3].map((page) => `DescribeDomainRecords ${page} 20`),
  );
  const ttlOf = (isRoot: boolean) => [...stored.values()].find(({ RR }) => (RR === '@') === isRoot)?.TTL;
  t.same([ttlOf(false), ttlOf(true)], [86_400, 600]);
  const zone = new AlidnsZone({ ...keys, endpoint });
  await zone.records();
  state.failures = 3;
  await zone.change({ added: [{ name: 'a', text: 'b', ttlS: 1 }], updated: [], deleted: [] });
  t.ok([...stored.values()].some(({ RR }) => RR === 'a'));
});
