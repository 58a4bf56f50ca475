import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openEnvironment } from '../../../src/log/lmdb/environment.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const child = fileURLToPath(new URL('../../support/log/reader-child.ts', import.meta.url));
/** Runs a command as process 1 of a separate process namespace, as the first process of a container does. */
const CONTAINER = ['-p', '-m', '--fork', '--mount-proc', '--kill-child', process.execPath, '--import', 'tsx', child];
const hasNamespaces = spawnSync('unshare', ['-p', '-m', '--fork', '--mount-proc', 'true']).status === 0;

// Each test takes ten seconds, because the LMDB package tries to register the second process for this time.
for (const mode of hasNamespaces ? ['read', 'write'] : []) {
  t.test(`names the container whose process id prevents opening to ${mode}`, async (t) => {
    const folder = temporaryFolder(t);
    await openEnvironment(folder, { readOnly: false }).close();
    const first = spawn('unshare', [...CONTAINER, folder, 'read'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(first.stdout, 'data')) as [Buffer];
    t.equal(line.toString(), 'open as process 1\n');

    const second = spawn('unshare', [...CONTAINER, folder, mode], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code]] = await Promise.all([
      text(second.stdout),
      text(second.stderr),
      once(second, 'close') as Promise<[number]>,
    ]);
    t.equal(stdout, '');
    t.equal(code, 1);
    t.match(stderr, /cannot read .*: a process of another container has the same process id \(1\); run the command in/);
    t.notMatch(stderr, /TypeError|\n {4}at /, 'no stack trace');

    first.stdin.end();
    await once(first, 'close');
    await openEnvironment(folder, { readOnly: true }).close();
  });
}
