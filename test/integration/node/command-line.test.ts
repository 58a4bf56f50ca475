import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runTronicle, startTronicle } from '../../support/tronicle.js';

t.test('prints the version and exits', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  for (const args of [['--version'], ['-v'], ['run', '--version'], ['-c', 'missing.conf', '--version']]) {
    const { code, stdout } = await runTronicle(args);
    t.equal(code, 0, args.join(' '));
    t.match(stdout, `tronicle ${version}\nemulates java-tron 4.7.2 by default\n`);
    t.match(stdout, new RegExp(`commit (unknown|[0-9a-f]{12})\\nNode\\.js ${process.versions.node}`));
  }
});

t.test('prints the commands, and the flags of run', async (t) => {
  const all = await runTronicle(['--help']);
  t.equal(all.code, 0);
  for (const name of ['run', 'devnet', 'status', 'test-driver']) t.match(all.stdout, `\n  ${name} `);
  const run = await runTronicle(['run', '--help']);
  t.match(run.stdout, '-c, --config');
  t.match(run.stdout, '--release');
});

t.test('rejects a mistyped command with a hint and creates no folder', async (t) => {
  const folder = join(temporaryFolder(t), 'data');
  const { code, stderr } = await runTronicle(['sttaus', '-d', folder]);
  t.equal(code, 2);
  t.match(stderr, "unknown command 'sttaus': did you mean 'status'?");
  t.notOk(existsSync(folder));
});

t.test('ends quietly when its output is closed', async (t) => {
  const child = startTronicle(['run', '--help']);
  const head = spawn('head', ['-c', '1'], { stdio: ['pipe', 'ignore', 'ignore'] });
  head.stdin.on('error', () => undefined);
  child.stdout?.pipe(head.stdin);
  const errors: Buffer[] = [];
  child.stderr?.on('data', (part: Buffer) => errors.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  t.equal(code, 0);
  t.equal(Buffer.concat(errors).toString(), '');
});
