import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { AccountBank } from './account-bank.js';
import { startGateway } from './gateway.js';

/**
 * Starts a server that returns the received request and its length. `/wallet/getnowblock` returns the next height at
 * each call.
 */
async function echo(t: Test, name: string): Promise<number> {
  let height = 0;
  const server = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url } = request;
    if (url === '/wallet/getnowblock') {
      height++;
      reply.end(JSON.stringify({ block_header: { raw_data: { number: height } } }));
      return;
    }
    reply
      .writeHead(url === '/wallet/none' ? 405 : 200)
      .end(JSON.stringify({ name, method, url, body, length: body.length }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

t.test('serves the node and the extra endpoints of test suites on one port', async (t) => {
  const ports = { full: await echo(t, 'full'), solidity: await echo(t, 'solidity') };
  const made: string[][] = [];
  const bank = { made, create: async (count: number) => void made.push(Array(count).fill('key')) };
  const aliases = new Map([['theirs', 'ours']]);
  const gateway = await startGateway(ports, { bank: bank as unknown as AccountBank, aliases });
  t.teardown(() => gateway.close());
  const query = async (path: string, body?: string): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body };
    const reply = await fetch(`http://127.0.0.1:${gateway.port}${path}`, init);
    return { status: reply.status, ...((await reply.json()) as object) };
  };
  const echoed = { status: 200, name: 'full', method: 'POST', url: '/wallet/x?y=1', body: 'ä', length: 1 };
  t.same(await query('/wallet/x?y=1', 'ä'), echoed);
  t.match(await query('/walletsolidity/x'), { name: 'solidity', method: 'GET' });
  t.match(await query('/wallet/none'), { status: 405 });
  t.match(
    await query('/wallet/theirs', 'theirs'),
    { url: '/wallet/theirs', body: 'theirs', length: 4 },
    'the answer passed in both directions',
  );
  t.match(await query('/wallet/broadcasttransaction', 'ours'), { body: 'ours' }, 'transactions are unchanged');
  t.match(await query('/admin/temporary-accounts-generation?accounts=2'), { status: 200 });
  t.match(await query('/admin/accounts-json'), {
    privateKeys: ['key', 'key'],
    more: [{ privateKeys: ['key', 'key'] }],
  });
  t.match(await query('/tre', '{"method":"tre_mine"}'), { result: true });
});
