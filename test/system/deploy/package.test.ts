import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { untilServed } from '../../support/until.js';
import { root } from './support/image.js';

// Installs the output of `npm pack` outside of the repository, with production dependencies only. Uses the ports of the
// private network.

const npm = (args: readonly string[], cwd: string) =>
  promisify(execFile)('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], { cwd, timeout: 240_000 });

t.test('runs the private network from an installed package without a build', async (t) => {
  const folder = temporaryFolder(t);
  // Does not build, because the tests already run on a built checkout. Another build would delete files that other
  // tests use.
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root);
  const [tarball] = readdirSync(folder);
  t.match(tarball, /^tronicle-.*\.tgz$/);
  await npm(['install', '--omit=dev', join(folder, tarball!)], folder);
  const installed = readdirSync(join(folder, 'node_modules'));
  for (const file of ['docs/main-net.md', 'deploy/tronicle.service', 'deploy/prometheus/alerts.yml'])
    t.ok(existsSync(join(folder, 'node_modules/tronicle', file)), `${file} is part of the package`);
  for (const tool of ['typescript', 'tap', 'tsx', '@biomejs', 'esbuild', 'graphiql', 'zeromq'])
    t.notOk(installed.includes(tool), `${tool} is not installed`);
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  const count = Object.keys(packages).length - 1;
  t.ok(count < 320, `${count} packages are installed`);

  const child = spawn(join(folder, 'node_modules/.bin/tronicle'), ['devnet', '--data', join(folder, 'devnet')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const height = await untilServed('blocks', async () => {
    const reply = await fetch('http://127.0.0.1:8090/wallet/getnowblock', { method: 'POST', body: '{}' });
    const { block_header } = (await reply.json()) as { block_header: { raw_data: { number?: number } } };
    return block_header.raw_data.number;
  });
  t.ok(height > 0);
  t.equal([...output.stdout.matchAll(/^ {2}T\w{33} {2}[0-9a-f]{64}$/gm)].length, 10, 'funded accounts');
  // Waits for the port of the status page, because it is the last to open.
  await untilServed('the status page', async () => (await fetch('http://127.0.0.1:8080/')).ok);
  for (const page of ['/', '/graphiql', '/follow/', '/follow/follow.js'])
    t.equal((await fetch(`http://127.0.0.1:8080${page}`)).status, 200, page);
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] };
  const answer = await fetch('http://127.0.0.1:8545/jsonrpc', { method: 'POST', body: JSON.stringify(call) });
  t.match(await answer.json(), { result: /^0x/ });
  child.kill('SIGTERM');
  t.equal(await ended, 0);
  t.equal(output.stderr, '');
});
