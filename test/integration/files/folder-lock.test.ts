import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { lockFolder } from '../../../src/files/folder-lock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const child = fileURLToPath(new URL('../../support/files/lock-child.ts', import.meta.url));
const NODE = [process.execPath, '--import', 'tsx', child];
/**
 * Runs a command in separate network, process and mount namespaces. This simulates a second container with the same
 * volume.
 */
const CONTAINER = ['unshare', '-n', '-p', '-m', '--fork', '--kill-child'];
const hasNamespaces = spawnSync('unshare', ['-n', '-p', '-m', '--fork', 'true']).status === 0;

/**
 * Starts a process that locks a folder and keeps the lock.
 * @returns the process, and the first word that it prints: `locked` or `in use`
 */
async function start(folder: string, prefix: readonly string[]): Promise<{ process: ChildProcess; word: string }> {
  const [command = '', ...args] = [...prefix, ...NODE, folder];
  const started = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [data] = (await once(started.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { process: started, word: data.toString().trim() };
}

for (const prefix of hasNamespaces ? [[], CONTAINER] : [[]]) {
  const where = prefix.length === 0 ? 'in the same namespaces' : 'in other namespaces';

  t.test(`rejects a folder that another process has open, ${where}`, async (t) => {
    const folder = temporaryFolder(t);
    const lock = await lockFolder(folder);
    const other = await start(folder, prefix);
    t.equal(other.word, 'in use');
    lock.close();
    const next = await start(folder, prefix);
    t.equal(next.word, 'locked');
    await t.rejects(lockFolder(folder), { message: /is in use by another process/ });
    next.process.stdin?.end();
    await once(next.process, 'close');
    (await lockFolder(folder)).close();
  });

  t.test(`releases a folder when its process is killed, ${where}`, async (t) => {
    const folder = temporaryFolder(t);
    const holder = await start(folder, prefix);
    t.equal(holder.word, 'locked');
    const ended = once(holder.process, 'close');
    holder.process.kill('SIGKILL');
    await ended;
    (await lockFolder(folder)).close();
  });
}

t.test('rejects a second ledger of the same process', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await lockFolder(folder);
  await t.rejects(lockFolder(folder), { name: 'UsageError' });
  lock.close();
});

t.test('leaves no file in the folder', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await lockFolder(folder);
  t.same(readdirSync(folder), []);
  lock.close();
});

t.test('does not lock a copied folder', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await lockFolder(folder);
  const copy = join(temporaryFolder(t), 'copy');
  cpSync(folder, copy, { recursive: true });
  (await lockFolder(copy)).close();
  lock.close();
});

t.test('closes its descriptor once', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await lockFolder(folder);
  lock.close();
  const next = await lockFolder(folder);
  lock.close();
  await t.rejects(lockFolder(folder), { name: 'UsageError' }, 'the lock with the same descriptor number still exists');
  next.close();
});
