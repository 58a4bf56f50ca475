import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { decode, encode } from 'dns-packet';
import t, { type Test } from 'tap';
import { DnsNodes } from '../../../src/p2p/dns/dns-nodes.js';
import { textLookUp } from '../../../src/p2p/dns/look-up-text.js';
import { silentLog } from '../support/silent-log.js';

const { url, first } = JSON.parse(readFileSync(new URL('trees.json', import.meta.url), 'utf8')) as {
  readonly url: string;
  readonly first: Readonly<Record<string, string>>;
};
const DOMAIN = 'nodes.example.org';

/** A DNS server with the tree, its texts cut as providers cut them. @returns its address, and the names that it was asked for */
async function serve(t: Test) {
  const asked: string[] = [];
  const socket = createSocket('udp4', (datagram, { address, port }) => {
    const { id, questions = [] } = decode(datagram);
    const { name } = questions[0]!;
    asked.push(name);
    const label = name === DOMAIN ? '@' : name.slice(0, -DOMAIN.length - 1).toLowerCase();
    const text = first[label];
    const answers =
      text === undefined ? [] : [{ type: 'TXT' as const, name, ttl: 1, data: [text.slice(0, 255), text.slice(255)] }];
    const flags = text === undefined ? 3 : 0;
    socket.send(
      encode({ type: 'response', ...(id !== undefined && { id }), flags, questions, answers }),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { server: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked };
}

t.test('a tree is read from a server', async (t) => {
  const { server } = await serve(t);
  const lookUp = textLookUp({ servers: [server], hasIpv4: () => true });
  const nodes = new DnsNodes({ urls: ['tree://A@b', url], lookUp, log: silentLog, now: Date.now });
  t.teardown(() => nodes.close());
  t.same(nodes.nodes(), []);
  await nodes.readAll();
  t.equal(nodes.nodes().length, 90, 'one tree that is none keeps no other');
});

t.test('who does not answer is left for another; a name that nobody has is given up', async (t) => {
  const { server, asked } = await serve(t);
  const silent = createSocket('udp4');
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const servers = [`127.0.0.1:${silent.address().port}`, server];
  const draws = [0, 0.9];
  const lookUp = textLookUp({ servers, hasIpv4: () => true, random: () => draws.shift() ?? 0.9 });
  t.match((await lookUp(DOMAIN))?.[0], /^tree-root-v1:/);
  t.equal(asked.length, 1);
  t.equal(await lookUp(`none.${DOMAIN}`), undefined);
  t.equal(asked.length, 6, 'five times');
});
