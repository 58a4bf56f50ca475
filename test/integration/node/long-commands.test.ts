import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';

const folder = temporaryFolder(t);
const data = join(folder, 'data');
const config = join(golden, 'stake', 'config.conf');
const copy = join(folder, 'copy');

// Commands in an order in which each finds its input. Each has the name of a field in its JSON result, and a pattern of
// its text output.
const commands: readonly [args: readonly string[], member: string, summary: RegExp][] = [
  [
    ['import', join(golden, 'stake', 'blocks.ndjson.gz'), '-c', config, '-d', data, '--until', '20'],
    'transactions',
    /^imported 20 blocks with [\d,]+ transactions; the head is block 20 \(\d+ s\)\nnext: tronicle run -c \S+ -d \S+$/m,
  ],
  [['verify', '-d', data], 'digest', /^\S+ is intact \(\d+ s\)\nnext: tronicle run -d \S+$/m],
  [['replay', '-c', config, '-d', data], 'digest', /^rebuilt the state up to block 20; all digests match/m],
  [
    ['replay', '--projection', 'staking', '-c', config, '-d', data],
    'firstMismatch',
    /^projection staking equals the log/m,
  ],
  [['reconcile', '-c', config, '-d', data], 'differences', /^blocks 0 to 20: 0 balances differ/m],
  [['export', join(folder, 'blocks.tron'), '--force', '-d', data], 'bytes', /^wrote the blocks up to block 20 to /m],
  [['compact', '-d', data], 'databases', /^freed -?[\d,]+ MB in /m],
];
for (const [args, member, summary] of commands)
  t.test(`${args[0]} prints one object with --json, and its summary on the standard error`, async (t) => {
    const outcome = await runTronicle([...args, '--json']);
    t.equal(outcome.code, 0, outcome.stderr);
    t.ok(member in (JSON.parse(outcome.stdout) as object), outcome.stdout);
    t.match(outcome.stderr, summary);
    const quiet = await runTronicle([...args, '--quiet']);
    t.same([quiet.code, quiet.stderr], [0, '']);
  });

t.test('backup prints one object with --json, and the command that verifies the copy', async (t) => {
  const outcome = await runTronicle(['backup', copy, '-d', data, '--json', '--rate', 'off']);
  t.equal((JSON.parse(outcome.stdout) as { head: number }).head, 20);
  t.match(outcome.stderr, `next: tronicle verify -d ${copy}`);
  const quiet = await runTronicle(['backup', `${copy}2`, '-d', data, '--quiet']);
  t.same([quiet.code, quiet.stderr], [0, '']);
});
