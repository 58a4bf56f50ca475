import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Finding } from '../../../src/node/doctor/finding.js';
import { startDevnet } from '../../support/devnet.js';
import { runTronicle } from '../../support/tronicle.js';
import { until, untilServed } from '../../support/until.js';

t.test('reports a failed write on every page of the running node until writes succeed again', async (t) => {
  const devnet = await startDevnet(t, { blockTimeMs: 200 });
  const { dataDir, pageUrl } = devnet;
  const ready = async () => {
    const response = await fetch(`${pageUrl}readyz`);
    const { reasons } = (await response.json()) as { reasons: readonly { check: string; message: string }[] };
    return { status: response.status, problem: reasons.find(({ check }) => check === 'storage')?.message };
  };
  const status = async (): Promise<string | null> => {
    const body = JSON.stringify({ query: '{ status { storageProblem } }' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${pageUrl}graphql`, { method: 'POST', headers, body });
    const { data } = (await response.json()) as { data: { status: { storageProblem: string | null } } };
    return data.status.storageProblem;
  };
  const doctor = async (): Promise<Finding | undefined> => {
    const args = ['-c', join(dataDir, 'devnet.conf'), '-d', dataDir, '--p2p-disable', 'true', '--ntp', '127.0.0.1:9'];
    const { stdout } = await runTronicle(['doctor', ...args, '--json']);
    return (JSON.parse(stdout) as Finding[]).find(({ check }) => check === 'readiness');
  };
  await untilServed('the status page', async () => (await status()) === null);
  t.equal((await ready()).problem, undefined);

  // Makes writes of the record of signed blocks fail, by a file in place of the folder of these records.
  const folder = join(dataDir, 'signed-blocks');
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, '');
  // A write that was in progress when the folder was replaced fails with another error. The write of the next slot
  // fails with EEXIST.
  t.ok(await until('the problem', async () => /signed-blocks.*EEXIST/.test((await status()) ?? '')));
  t.match(await ready(), { status: 503, problem: /^blocks cannot be stored: .*EEXIST/ });
  t.match(await doctor(), { level: 'bad', found: /EEXIST/, remedy: /^free disk space/ });

  rmSync(folder);
  renameSync(`${folder}-away`, folder);
  await until('blocks', async () => (await status()) === null);
  t.equal((await ready()).problem, undefined);
  await devnet.stop();
});
