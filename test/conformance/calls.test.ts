import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { replayHttp } from './replay-http.js';
import { replayRpc } from './replay-rpc.js';

// Questions and answers recorded from the reference 4.7.2 (November 2026), on a chain where little is switched on.
const folder = join(fileURLToPath(new URL('../golden', import.meta.url)), 'off');

/** Rows keep the entries of their maps sorted (architecture, section 2); the reference answers them as they came. */
const SORTED_MAPS = /\/getaccount|GetAccountById/;

t.test('HTTP answers what the reference answers', { timeout: 600_000 }, async (t) => {
  const others: string[] = [];
  const report = await replayHttp(folder, (endpoint, text) => {
    if (!SORTED_MAPS.test(endpoint)) others.push(text);
  });
  t.ok(report.compared > 17_000);
  t.same(others.slice(0, 3), []);
  t.ok(report.differing <= 24, `${report.differing} accounts with several tokens in another order`);
});

t.test('JSON-RPC and gRPC answer what the reference answers', { timeout: 600_000 }, async (t) => {
  const others: string[] = [];
  const report = await replayRpc(folder, 'off', (text) => {
    if (!SORTED_MAPS.test(text)) others.push(text);
  });
  t.ok(report.operations > 5_000);
  t.same(others.slice(0, 3), []);
});
