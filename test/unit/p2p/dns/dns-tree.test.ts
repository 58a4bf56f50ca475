import { readFileSync } from 'node:fs';
import t from 'tap';
import { BoundedCache } from '../../../../src/p2p/bounded-cache.js';
import { DnsTree } from '../../../../src/p2p/dns/dns-tree.js';
import { nameOf, parseTreeEntry, parseTreeLink, type TreeEntry } from '../../../../src/p2p/dns/tree-entry.js';

/**
 * Two versions of a tree that libp2p 1.2.0 has created and signed. The first has 90 nodes and a link, the second has 91
 * nodes. `@` represents the domain.
 */
const { url, first, second } = JSON.parse(readFileSync(new URL('trees.json', import.meta.url), 'utf8')) as {
  readonly url: string;
  readonly first: Readonly<Record<string, string>>;
  readonly second: Readonly<Record<string, string>>;
};
const DOMAIN = 'nodes.example.org';

/** Returns a tree over records that the test can change, and the list of requested names. */
function treeOf(records: Readonly<Record<string, string>>, from = url) {
  const zone = { records };
  const queries: string[] = [];
  const cache = new BoundedCache<TreeEntry>({ entriesMax: 2000, now: () => 0 });
  const lookUp = (name: string): Promise<readonly string[] | undefined> => {
    const label = name === DOMAIN ? '@' : name.slice(0, -DOMAIN.length - 1).toLowerCase();
    queries.push(label);
    const text = zone.records[label];
    return Promise.resolve(text === undefined ? undefined : [` ${text.slice(0, 200)}`, text.slice(200)]);
  };
  const lookUpRoot = (name: string) => (name === DOMAIN ? rootOf(lookUp(name)) : lookUp(name));
  const tree = new DnsTree({ url: from, lookUp: lookUpRoot, cache, isClosed: () => false });
  return { tree, zone, queried: queries };
}

/** Joins the texts of a root record to one text. */
const rootOf = async (texts: Promise<readonly string[] | undefined>) => {
  const parts = await texts;
  return parts && [parts.join('').trim()];
};

t.test('reads a tree made by libp2p, and reads it again after a change', async (t) => {
  const { tree, zone, queried: queries } = treeOf(first);
  await tree.read();
  t.equal(tree.nodes.length, 90);
  const found = (port: number) => tree.nodes.find((node) => node.port === port);
  t.match(found(18_888), { ipv4: '10.0.0.1', ipv6: undefined, port: 18_888 });
  t.match(found(18_888 + 8), { ipv4: '10.2.0.9', ipv6: 'fd00:0:0:0:0:0:0:9' });
  t.match(found(18_888 + 3), { ipv4: undefined, ipv6: 'fd00:0:0:0:0:0:0:4' });
  t.equal(new Set(tree.nodes.map(({ id }) => id)).size, 90, 'each node has an id, which is valid during this run');
  const links = Object.entries(first).filter(([, text]) => text.startsWith('tree://'));
  t.equal(queries.length, Object.keys(first).length - links.length, 'links to other trees are not followed');

  queries.length = 0;
  await tree.read();
  t.same(queries, ['@'], 'only the root is requested while nothing changes');
  zone.records = second;
  queries.length = 0;
  await tree.read();
  t.equal(tree.nodes.length, 91);
  t.notOk(
    queries.some((label) => label !== '@' && label in first),
    'known records are not requested again',
  );
});

t.test('retries a record without an answer', async (t) => {
  const leaf = Object.keys(first).find((name) => first[name]!.startsWith('nodes:'))!;
  const { tree, zone } = treeOf({ ...first, [leaf]: undefined as never });
  await tree.read();
  t.ok(tree.nodes.length > 80 && tree.nodes.length < 90);
  zone.records = first;
  await tree.read();
  t.equal(tree.nodes.length, 90);
});

t.test('rejects a record with a wrong signature or hash', async (t) => {
  const refused = async (records: Readonly<Record<string, string>>, text: RegExp, from = url): Promise<void> => {
    await t.rejects(treeOf(records, from).tree.read(), { code: 'DNS_TREE', message: text });
  };
  const other = 'tree://AM5FCQLWIZX2QFPNJAP7VUERCCRNGRHWZG3YYHIUV7BVDQ5FDPRT2@nodes.example.org';
  await refused(first, /not signed with the public key/, other);
  const root = first['@']!;
  await refused({ ...first, '@': `${root.slice(0, 30)}${root[30] === 'A' ? 'B' : 'A'}${root.slice(31)}` }, /./);
  await refused({ ...first, '@': 'tree-root-v1:' }, /invalid record name/);
  await refused({ ...first, '@': 'something else' }, /no root record found/);
  await refused({}, /no root record found/);
  const leaf = Object.keys(first).find((name) => first[name]!.startsWith('nodes:'))!;
  await refused({ ...first, [leaf]: `${first[leaf]}A` }, /the name is not the hash of the text/);
  await refused(first, /must start with tree/, 'enrtree://A@b');
  for (const wrong of ['tree://nodes.example.org', 'tree://A@b', 'tree://!@b', 'tree://A@b@c'])
    t.throws(() => parseTreeLink(wrong), { code: 'DNS_TREE' }, wrong);
});

t.test('decodes every kind of record', async (t) => {
  const read = (text: string): TreeEntry => parseTreeEntry(text, nameOf(text));
  t.same(read('tree-branch:'), { kind: 'branch', children: [] });
  t.same(read('tree-branch:A,B'), { kind: 'branch', children: ['A', 'B'] });
  t.same(read('tree://A@b'), { kind: 'link' });
  t.same(read('nodes:'), { kind: 'nodes', nodes: [] });
  t.throws(() => read('nodes:CgE'), { code: 'DNS_TREE', message: /invalid dns record/ });
  t.throws(() => read('leaf:'), { code: 'DNS_TREE', message: /unknown record type/ });
});
