import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { replayHttp } from './replay-http.js';
import { replayRpc } from './replay-rpc.js';

// Requests and answers recorded from java-tron 4.7.2 (November 2026), on a chain with few enabled parameters.
const folder = join(fileURLToPath(new URL('../golden', import.meta.url)), 'off');

t.test('answers over HTTP like java-tron', async (t) => {
  const mismatched: string[] = [];
  const report = await replayHttp(folder, (_, text) => mismatched.push(text));
  t.ok(report.compared > 17_000);
  t.same(mismatched.slice(0, 3), []);
});

t.test('answers over JSON-RPC and gRPC like java-tron', async (t) => {
  const mismatched: string[] = [];
  const report = await replayRpc(folder, 'off', (text) => mismatched.push(text));
  t.ok(report.operations > 5_000);
  t.same(mismatched.slice(0, 3), []);
});
