import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, mainFile, outcomeOf, runTronicle, startTronicle } from '../../support/tronicle.js';

t.test('prints the version and exits', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  for (const args of [['--version'], ['-v'], ['run', '--version'], ['-c', 'missing.conf', '--version']]) {
    const { code, stdout } = await runTronicle(args);
    t.equal(code, 0, args.join(' '));
    t.match(stdout, `tronicle ${version}\nemulates java-tron 4.7.2 by default\n`);
    t.match(stdout, new RegExp(`commit (unknown|[0-9a-f]{12})\\nNode\\.js ${process.versions.node}`));
  }
});

t.test('prints one sentence with an unsupported release of Node.js', async (t) => {
  // Older releases stop at an import that they do not have, so the command line must check the release first.
  const old = (version: string): string =>
    `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  for (const file of [mainFile, 'deploy/start.mjs'])
    for (const version of ['12.22.12', '18.20.8', '20.11.1']) {
      const options = ['--import', old(version)];
      const child = startTronicle(['status', '-d', 'new'], { program: { path: process.execPath, options }, file });
      const { code, stdout, stderr } = await outcomeOf(child);
      t.same([code, stdout], [1, ''], `${file} ${version}`);
      t.equal(stderr, `Tronicle needs Node.js 20.12 or later; this is Node.js ${version}\n`);
    }
});

t.test('runs libraries in production mode unless NODE_ENV is set', async (t) => {
  const modeAtExit = "data:text/javascript,process.on('exit', () => console.error(process.env.NODE_ENV))";
  for (const [set, mode] of [
    ['', 'production'],
    ['development', 'development'],
  ]) {
    const options = ['--import', `data:text/javascript,process.env.NODE_ENV='${set}'`, '--import', modeAtExit];
    const { stderr } = await outcomeOf(startTronicle(['-v'], { program: { path: process.execPath, options } }));
    t.equal(stderr, `${mode}\n`);
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

// Invalid command lines with the exit code and a part of the error text.
const refused: readonly [args: string, code: number, text: string][] = [
  ['sttaus -d new', 2, "unknown command 'sttaus': did you mean 'status'?"],
  ['import blocks.tron --untill 7 -d new', 2, "unknown option --untill; did you mean '--until'?"],
  ['import -d new', 2, 'import needs <file>'],
  ['import . -d new', 1, 'cannot read .: it is a folder'],
  ['import missing.tron -d new', 1, 'file missing.tron does not exist'],
  [
    'export --java leveldb --until 7 -d new',
    2,
    'export --java writes the newest state to an empty folder; remove --until',
  ],
  ['export --java leveldb blocks.tron -d new', 2, 'remove blocks.tron'],
  ['verify new', 2, "unexpected argument 'new'"],
  ['prune --keep 100000 -d new', 1, 'new contains no Tronicle data'],
  ['prune --keep many -d new', 2, 'invalid height for --keep: many'],
  ['replay -d new --from 1 --projection staking', 2, '--projection rebuilds all rows'],
  ['replay -d new --projection stakin', 2, "did you mean 'staking'?"],
  ['backup copy -d new --rate fast', 2, 'invalid --rate: fast'],
  ['bootstrap old --history some -d new', 2, 'invalid --history: some'],
  ['reconcile --account nobody -d new', 2, 'invalid address for --account: nobody'],
  ['devnet --data new --block-time 1', 2, 'invalid --block-time: 1'],
  ['devnet --data new --chain-id x', 2, 'invalid --chain-id: x'],
  ['keystore new --password-file missing', 1, 'Password file not found: missing'],
  ['keystore make', 2, "unknown action 'make'"],
  ['stream pause -d new', 2, "cannot run 'stream pause'"],
  ['stream list sinks -d new', 2, "cannot run 'stream list sinks'"],
  ['stream pause one two -d new', 2, "cannot run 'stream pause one two'"],
  ['stream filter one -d new', 2, "cannot run 'stream filter one'"],
  ['stream show -d new', 2, "cannot run 'stream show'"],
  ['test-driver --config a.conf', 2, 'test-driver needs --data <folder>'],
  ['--witnes -d new', 2, "did you mean '--witness'?"],
  ['-debug -d new', 2, 'Unknown option: -debug'],
  ['--solidity -d new', 1, 'set --trust-node <host:port>'],
];
for (const [args, code, text] of refused)
  t.test(`refuses ${args} and creates no file`, async (t) => {
    const folder = temporaryFolder(t);
    const outcome = await runTronicle(args.split(' '), { cwd: folder });
    t.equal(outcome.code, code, outcome.stderr);
    t.match(outcome.stderr, text);
    t.notMatch(outcome.stderr, /\n {4}at /, 'no stack');
    t.equal(outcome.stdout, '');
    t.same(readdirSync(folder), []);
  });

// A private key as each kind of argument.
const KEY = 'a1b2c3d4'.repeat(8);
const misplaced: readonly [args: string, code: number][] = [
  [KEY, 2],
  [`run ${KEY}`, 1],
  [`run -p${KEY}`, 2],
  [`run --${KEY} -d new`, 2],
  [`run -w -p ${KEY}${KEY}`, 1],
  [`run -c ${KEY}`, 1],
  [`run --private-key-file ${KEY}`, 1],
  [`run --rpc-thread ${KEY}`, 2],
  [`run --release ${KEY}`, 1],
  [`run --log-level 0x${KEY}`, 2],
  [`import ${KEY}.tron -d new`, 1],
  [`export --until ${KEY} file`, 2],
  [`status -d ${KEY.slice(1)}`, 1],
  [`verify ${KEY.toUpperCase()}`, 2],
  [`reconcile --account ${KEY}`, 2],
  [`devnet --accounts ${KEY}`, 2],
  [`keystore ${KEY}`, 2],
  [`keystore update ${KEY}`, 1],
  [`keystore import --key-file ${KEY}`, 1],
  [`stream add ${KEY}`, 1],
  [`completion ${KEY}`, 2],
];
for (const [args, code] of misplaced)
  t.test(`does not print the private key of ${args.replaceAll(/[0-9a-f]{63,}/gi, 'KEY')}`, async (t) => {
    const outcome = await runTronicle(args.split(' '), { cwd: temporaryFolder(t) });
    t.equal(outcome.code, code, outcome.stderr);
    t.not(outcome.stderr, '');
    t.notMatch(`${outcome.stdout}${outcome.stderr}`, new RegExp(KEY.slice(1, 40), 'i'));
  });

t.test('reports that a server that is not a Tronicle node answers at the admin address', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not Found","statusCode":404}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'a.conf'), `storage {}\ntronicle.admin { enable = true, port = ${port} }`);
  const { code, stderr } = await runTronicle(['stream', 'list', '-c', 'a.conf'], { cwd: folder });
  t.equal(code, 1);
  t.equal(
    stderr,
    `http://127.0.0.1:${port}/sinks is not a Tronicle admin server: the response has HTTP status 404; check tronicle.admin.port\n`,
  );
});

t.test('names the file that cannot be written, without a stack', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const stake = join(golden, 'stake');
  const args = ['import', join(stake, 'blocks.ndjson.gz'), '-c', join(stake, 'config.conf'), '-d', 'file/below'];
  const { code, stderr } = await runTronicle(args, { cwd: folder });
  t.equal(code, 1);
  t.match(stderr, /is not a folder; use another path/);
  t.notMatch(stderr, /\n {4}at /);
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
