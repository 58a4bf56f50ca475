import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, mainFile, runTronicle } from '../../support/tronicle.js';

const chain = join(golden, 'stake');
const config = ['-c', join(chain, 'config.conf')];
const blocks = join(chain, 'blocks.ndjson.gz');
/** Words before a command. Root may read and write every file, so its commands run without these rights. */
const LIMITED = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

const made = join(temporaryFolder(t), 'data');
await runTronicle(['import', blocks, ...config, '-d', made, '--until', '20']);

function refuses(t: Test, args: readonly string[], stderr: RegExp): void {
  const [program = '', ...words] = [...LIMITED, process.execPath, mainFile, ...args];
  const { status, stderr: found } = spawnSync(program, words, {
    encoding: 'utf8',
    env: { ...process.env, TRONICLE_LOG_LEVEL: 'error' },
  });
  t.match({ status, stderr: found }, { status: 1, stderr }, args.join(' '));
}

t.test('reports a folder without read permission, and never as a folder without data', async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  cpSync(made, data, { recursive: true });
  mkdirSync(join(data, 'signed-blocks'), { recursive: true });
  chmodSync(folder, 0o755);
  chmodSync(data, 0);
  t.teardown(() => chmodSync(data, 0o700));
  const problem = /^no permission for \S*data\S*; change its owner or its permissions\n$/;
  refuses(t, ['status', '-d', data], problem);
  refuses(t, ['verify', '-d', data], problem);
  refuses(t, ['export', join(folder, 'out'), '-d', data], problem);
  // An empty export would make another node sign slots again.
  refuses(t, ['keystore', 'export-protection', join(folder, 'signed.json'), '-d', data], problem);
  t.strictSame(readdirSync(folder), ['data']);
});

t.test('reports a folder without write permission in one sentence', async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  cpSync(made, data, { recursive: true });
  for (const path of [data, ...readdirSync(data, { recursive: true }).map((name) => join(data, String(name)))])
    chmodSync(path, /\.\w+$/.test(path) ? 0o444 : 0o555);
  t.teardown(() => {
    for (const name of ['', ...readdirSync(data, { recursive: true }).map(String)]) chmodSync(join(data, name), 0o700);
  });
  chmodSync(folder, 0o755);
  refuses(t, ['import', blocks, ...config, '-d', data], /^no permission for \S*data\S*; change its owner .*\n$/);
});
