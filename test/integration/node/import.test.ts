import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';

const chain = join(golden, 'stake');
const config = join(chain, 'config.conf');
const blocks = join(chain, 'blocks.ndjson.gz');
const lines = gunzipSync(readFileSync(blocks)).toString().trim().split('\n');
const head = JSON.parse(lines.at(-1)!) as { num: number; id: string };

const importInto = (folder: string, file = blocks, ...args: string[]): ReturnType<typeof runTronicle> =>
  runTronicle(['import', file, '-c', config, '-d', folder, ...args]);
const statusOf = async (folder: string): Promise<{ head: number; headId: string; digest: string }> =>
  JSON.parse((await runTronicle(['status', '-d', folder])).stdout);

t.test('computes the same digest by import, by import of the export, and by replay', async (t) => {
  const folder = temporaryFolder(t);
  const first = join(folder, 'first');
  t.equal((await importInto(first)).code, 0);
  const { digest, headId } = await statusOf(first);
  t.equal(headId, head.id);
  const file = join(folder, 'blocks.bin');
  t.equal((await runTronicle(['export', file, '-d', first])).code, 0);
  const second = join(folder, 'second');
  t.equal((await importInto(second, file)).code, 0);
  t.equal((await statusOf(second)).digest, digest);
  const replay = await runTronicle(['replay', '-c', config, '-d', second]);
  t.equal(JSON.parse(replay.stdout).digest, digest);
  t.equal(JSON.parse((await runTronicle(['verify', '-d', second])).stdout).digest, digest);
});

t.test('continues after the block at which --until stopped the import', async (t) => {
  const folder = temporaryFolder(t);
  t.equal((await importInto(folder, blocks, '--until', '100')).code, 0);
  t.equal((await statusOf(folder)).head, 100);
  t.equal((await importInto(folder)).code, 0);
  t.equal((await statusOf(folder)).head, head.num);
});

t.test('stops exactly at node.shutdown.BlockHeight with exit code 0', async (t) => {
  const folder = temporaryFolder(t);
  const stopping = join(folder, 'stopping.conf');
  writeFileSync(stopping, `${readFileSync(config, 'utf8')}\nnode.shutdown.BlockHeight = 77\n`);
  const outcome = await runTronicle(['import', blocks, '-c', stopping, '-d', join(folder, 'data')]);
  t.equal(outcome.code, 0);
  t.equal((await statusOf(join(folder, 'data'))).head, 77);
});

t.test('reaches the same digest and loses no acknowledged block after kills at random times', async (t) => {
  const undisturbed = temporaryFolder(t);
  await importInto(undisturbed);
  const folder = temporaryFolder(t);
  let before = 0;
  for (let kill = 0; kill < 5; kill++) {
    // Spreads the kills over the import. The process needs about 300 ms to start.
    await runTronicle(['import', blocks, '-c', config, '-d', folder], { killAfterMs: 350 + kill * 120 });
    const at = await statusOf(folder).catch(() => ({ head: 0 }));
    t.ok(at.head >= before, `head ${at.head} after ${before}`);
    before = at.head;
  }
  t.equal((await importInto(folder)).code, 0);
  t.same(await statusOf(folder).then(({ digest }) => digest), (await statusOf(undisturbed)).digest);
});

t.test('creates no folder if the input is rejected at its start', async (t) => {
  const folder = temporaryFolder(t);
  const long = join(folder, 'long.gz');
  writeFileSync(long, gzipSync(Buffer.alloc(6_000_000, ' ')));
  const malformed = join(folder, 'malformed');
  writeFileSync(malformed, '{"block":"0a"}\n');
  const text = join(folder, 'text');
  writeFileSync(text, 'a text');
  const cases: readonly (readonly [args: readonly string[], text: RegExp])[] = [
    [['import', long], /long.gz is not a block file: a line has more than \d+ bytes/],
    [['import', malformed], /malformed is not a block file: its first block is malformed/],
    [['import', text], /text is not a block file; expected/],
    [['import', folder], /it is a folder/],
    [['bootstrap', text], /text: archive is truncated/],
    [['bootstrap', folder], /not a data folder of java-tron/],
  ];
  for (const [args, error] of cases) {
    const outcome = await runTronicle([...args, '-c', config, '-d', join(folder, 'new', 'data')]);
    t.match(outcome, { code: 1, stderr: error }, args.join(' '));
    t.notOk(existsSync(join(folder, 'new')), args.join(' '));
  }
});

t.test('rejects invalid input with a one-line error and keeps the stored blocks', async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  const cut = join(folder, 'cut.gz');
  copyFileSync(blocks, cut);
  truncateSync(cut, 100_000);
  const cases: readonly (readonly [name: string, args: string[], text: RegExp])[] = [
    [
      'a truncated file',
      [cut, '-c', config, '-d', data],
      /(invalid JSON in line \d+|unexpected end).*; the blocks up to [1-9]\d* are in .*data; to continue, correct the file/,
    ],
    ['no such file', [join(folder, 'none'), '-c', config, '-d', data], /file .*none does not exist/],
    ['another kind of file', [config, '-c', config, '-d', data], /is not a block file/],
    ['no such configuration', [blocks, '-c', join(folder, 'none.conf'), '-d', data], /No Such file/],
    [
      'the genesis of another chain',
      [blocks, '-c', join(golden, 'system-tour', 'config.conf'), '-d', data],
      /Genesis block modify, please delete database directory/,
    ],
  ];
  for (const [name, args, text] of cases) {
    const { code, stderr } = await runTronicle(['import', ...args]);
    t.equal(code, 1, name);
    t.match(stderr, text, name);
    t.notMatch(stderr, /\n +at /, `${name}: no stack`);
  }
  t.ok((await statusOf(data)).head > 0, 'the blocks before the end of the truncated file were imported');
});

t.test('replaces an exported file only with --force, and leaves no incomplete file', async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  await importInto(data, blocks, '--until', '20');
  const file = join(folder, 'out');
  for (const form of [[], ['--state']]) {
    writeFileSync(file, 'precious');
    const args = ['export', file, ...form, '-d', data];
    const refusal = /out already exists; use another file, or --force to replace the file\n$/;
    t.match(await runTronicle(args), { code: 1, stderr: refusal });
    t.equal(readFileSync(file, 'utf8'), 'precious');
    t.equal((await runTronicle([...args, '--until', '21', '--force'])).code, 1);
    t.equal(readFileSync(file, 'utf8'), 'precious', 'a failed export replaces nothing');
    t.match(await runTronicle([...args, '--force']), { code: 0, stdout: `"bytes":${readFileSync(file).length}` });
    t.ok(readFileSync(file).length > 1000);
    t.strictSame(
      readdirSync(folder).filter((name) => name.startsWith('out')),
      ['out'],
    );
  }
});

t.test('writes an export to a pipe', async (t) => {
  const folder = temporaryFolder(t);
  const [data, pipe] = [join(folder, 'data'), join(folder, 'pipe')];
  await importInto(data, blocks, '--until', '20');
  execFileSync('mkfifo', [pipe]);
  const [text, { code }] = await Promise.all([
    readFile(pipe, 'utf8'),
    runTronicle(['export', pipe, '--state', '-d', data]),
  ]);
  t.equal(code, 0);
  t.match(text, /^\{"store":/);
  t.ok(lstatSync(pipe).isFIFO(), 'the pipe remains');
});

t.test('rejects a second process on the same folder', async (t) => {
  const folder = temporaryFolder(t);
  const [first, second] = await Promise.all([importInto(folder), importInto(folder)]);
  t.same([first?.code, second?.code].sort(), [0, 1]);
});

t.test('exports the blocks before damage in the log', async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  await importInto(data);
  const whole = join(folder, 'whole.bin');
  t.equal((await runTronicle(['export', whole, '-d', data])).code, 0);
  const file = join(data, 'log', 'data.mdb');
  const bytes = readFileSync(file);
  const middle = JSON.parse(lines[200]!) as { num: number; block: string };
  // The last 40 bytes of the block are the end of its signature. They are random, so compression keeps them, and no
  // other log entry contains them.
  const offset = bytes.indexOf(Buffer.from(middle.block, 'hex').subarray(-40));
  t.ok(offset > 0);
  bytes.fill(0, offset, offset + 40);
  writeFileSync(file, bytes);

  const part = join(folder, 'part.bin');
  const refused = await runTronicle(['export', part, '-d', data]);
  t.equal(refused.code, 1);
  t.match(refused.stderr, `is intact up to block ${middle.num - 1}`);
  t.equal((await runTronicle(['export', part, '-d', data, '--until', String(middle.num - 1)])).code, 0);
  t.ok(readFileSync(whole).subarray(0, readFileSync(part).length).equals(readFileSync(part)));
  const again = join(folder, 'again');
  t.equal((await importInto(again, part)).code, 0);
  t.equal((await statusOf(again)).head, middle.num - 1);
});

t.test('opens the sinks of the configuration only with --sinks', async (t) => {
  const folder = temporaryFolder(t);
  const forwarding = join(folder, 'forwarding.conf');
  const sink = '{ name = file, type = ndjson, path = blocks.ndjson, topics = [block] }';
  writeFileSync(forwarding, `include required(file("${config}"))\ntronicle.sinks = [${sink}]\n`);
  const data = join(folder, 'data');
  const args = ['-c', forwarding, '-d', data];
  t.equal((await runTronicle(['import', blocks, '--until', '100', ...args])).code, 0);
  t.equal((await statusOf(data)).head, 100);
  t.notOk(existsSync(join(data, 'blocks.ndjson')));
  t.equal((await runTronicle(['import', blocks, '--until', '150', '--sinks', ...args])).code, 0);
  const heights = readFileSync(join(data, 'blocks.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { blockNum: number }).blockNum);
  t.ok(heights.length > 100, `${heights.length} blocks`);
  t.strictSame(
    heights,
    heights.map((_, height) => height),
    'the blocks of both imports, each once',
  );
});
