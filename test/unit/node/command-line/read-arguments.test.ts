import t from 'tap';
import { heightArgument, readArguments } from '../../../../src/node/command-line/read-arguments.js';

t.test("separates a command's own options from flags and words", async (t) => {
  const { options, flags, words } = readArguments(['a.tron', '--until=7', '-d', 'data', '--sinks', '-w'], 'import');
  t.same(
    [...options],
    [
      ['--until', '7'],
      ['--sinks', 'true'],
    ],
  );
  t.same([flags.outputDirectory, flags.witness, words], ['data', true, ['a.tron']]);
});

t.test('uses the last of two equal options', async (t) => {
  t.equal(readArguments(['a', '--until', '7', '--until', '8'], 'import').options.get('--until'), '8');
});

t.test('prefers an option of the command to a flag of the same name', async (t) => {
  const { options, flags } = readArguments(['-d', 'net', '--release', '4.8.2'], 'devnet');
  t.same(
    [...options],
    [
      ['--data', 'net'],
      ['--release', '4.8.2'],
    ],
  );
  t.same([flags.outputDirectory, flags.keys.size], [undefined, 0]);
});

t.test('reads a single dash as the standard input', async (t) => {
  t.same(readArguments(['-', '-d', 'data'], 'bootstrap').words, ['-']);
});

t.test('refuses wrong arguments with exit code 2 and a hint', async (t) => {
  for (const [name, args, message] of [
    ['import', [], /^import needs <file>\nUsage: tronicle import <file>/],
    ['import', ['a', 'b'], /^unexpected argument 'b'\n/],
    ['verify', ['data'], /^unexpected argument 'data'\n/],
    [
      'import',
      ['a', '--untill', '7'],
      /^unknown option --untill; did you mean '--until'\?; run 'tronicle import --help'/,
    ],
    ['import', ['a', '--until'], /^Expected a value after parameter --until$/],
    ['import', ['a', '-d', ''], /^option -d needs a path; the value is empty$/],
    ['devnet', ['--data='], /^option --data needs a path; the value is empty$/],
    ['backup', [''], /^argument 1 of backup is empty\nUsage: tronicle backup <target>/],
    ['run', [''], /^argument 1 of run is empty\n/],
    ['devnet', ['-c', 'my.conf'], /^unknown option -c; run 'tronicle devnet --help'/],
    ['devnet', ['--fresh=no'], /^option --fresh takes no value; remove "no"$/],
    ['run', ['--witnes'], /^Unknown option: --witnes .*; did you mean '--witness'\?$/],
  ] as const)
    t.throws(() => readArguments(args, name), { message, exitCode: 2 }, `${name} ${args.join(' ')}`);
  t.throws(() => heightArgument('x', '--from'), { message: /^invalid height for --from: x/, exitCode: 2 });
});
