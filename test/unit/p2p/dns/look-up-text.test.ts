import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { DnsNodes } from '../../../../src/p2p/dns/dns-nodes.js';
import { textLookUp } from '../../../../src/p2p/dns/look-up-text.js';
import { serveDns } from '../../../support/p2p/dns/dns-server.js';
import { silentLog } from '../../../support/p2p/silent-log.js';

const { url, first } = JSON.parse(readFileSync(new URL('trees.json', import.meta.url), 'utf8')) as {
  readonly url: string;
  readonly first: Readonly<Record<string, string>>;
};
const DOMAIN = 'nodes.example.org';

/** Starts a DNS server with the tree. It splits long texts as DNS providers do. */
const serve = (t: Test) =>
  serveDns(t, (name) => {
    const text = first[name === DOMAIN ? '@' : name.slice(0, -DOMAIN.length - 1).toLowerCase()];
    return text === undefined ? undefined : [text.slice(0, 255), text.slice(255)];
  });

t.test('reads a tree from a server', async (t) => {
  const { server } = await serve(t);
  const lookUp = textLookUp({ servers: [server], hasIpv4: () => true });
  const nodes = new DnsNodes({ urls: ['tree://A@b', url], lookUp, log: silentLog, now: Date.now });
  t.teardown(() => nodes.close());
  t.same(nodes.nodes(), []);
  await nodes.readAll();
  t.equal(nodes.nodes().length, 90, 'an invalid tree does not affect other trees');
});

t.test('falls back to another server, and stops for a name that does not exist', async (t) => {
  const { server, queried: queries } = await serve(t);
  const silent = createSocket('udp4');
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const servers = [`127.0.0.1:${silent.address().port}`, server];
  const draws = [0, 0.9];
  const lookUp = textLookUp({ servers, hasIpv4: () => true, random: () => draws.shift() ?? 0.9 });
  t.match((await lookUp(DOMAIN))?.[0], /^tree-root-v1:/);
  t.equal(queries.length, 1);
  t.equal(await lookUp(`none.${DOMAIN}`), undefined);
  t.equal(queries.length, 6, 'five attempts');
});
