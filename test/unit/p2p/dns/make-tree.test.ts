import { readFileSync } from 'node:fs';
import t from 'tap';
import { leavesOf, makeTree, signRoot, urlOfTree } from '../../../../src/p2p/dns/make-tree.js';
import { seqOfRoot } from '../../../../src/p2p/dns/tree-entry.js';
import { plainHost } from '../../../../src/p2p/transport/node-address.js';

/** Trees that libp2p 1.2.0 has created. The key is "nodes links nodesPerLeaf seq". `@` represents the domain. */
const made = JSON.parse(readFileSync(new URL('made-trees.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, { readonly url: string; readonly records: Readonly<Record<string, string>> }>
>;
const KEY = 'b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291';
const LINKED = 'tree://APFGGTFOBVE2ZNAB3CSMNNX6RRK3ODIRLP2AA5U4YFAA6MSYZUYTQ';

/** Returns node i. libp2p created the expected trees from these nodes. */
const nodeAt = (i: number) => {
  const ipv6 = i % 7 === 3 || i % 5 === 2 ? plainHost(`fd0${i % 10}::${(i * 77).toString(16)}`) : undefined;
  const ipv4 = i % 7 === 3 ? undefined : `${((i * 37) % 4) + 9}.${(i * 91) % 256}.0.${(i % 250) + 1}`;
  return { id: 'aa'.repeat(64), ipv4, ipv6, port: 18_888 - i };
};

for (const [kind, { url, records }] of Object.entries(made))
  t.test(`builds the same tree as libp2p from ${kind}`, async (t) => {
    const [nodes, links, nodesPerLeaf, seq] = kind.split(' ').map(Number) as [number, number, number, number];
    const leaves = leavesOf(
      Array.from({ length: nodes }, (_, i) => nodeAt(i)),
      nodesPerLeaf,
    );
    const body = makeTree(
      leaves,
      Array.from({ length: links }, (_, i) => `${LINKED}@n${i}.example.org`),
    );
    const root = signRoot(body, seq, KEY);
    const ours = Object.fromEntries([...body.records].map(([name, text]) => [name.toLowerCase(), text]));
    t.same({ ...ours, '@': root }, records);
    t.equal(urlOfTree(KEY, ''), url);
    t.equal(seqOfRoot(root), seq);
  });

t.test('rejects an invalid tree', async (t) => {
  for (const text of ['', 'v=spf1 -all', 'tree-root-v1:', 'tree-root-v1:AAAA'])
    t.throws(() => seqOfRoot(text), { code: 'DNS_TREE' }, text);
  t.throws(() => makeTree([], ['tree://A@b']), { code: 'DNS_TREE' });
});
