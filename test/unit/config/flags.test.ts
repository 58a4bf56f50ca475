import t from 'tap';
import { knownKeys } from '../../../src/config/config-table.js';
import { flagRows, parseFlags } from '../../../src/config/flags.js';

t.test('reads the flags of java-tron', async (t) => {
  const argv =
    '-c a.conf -d data --witness --p2p-disable TRUE --es --debug -p 00 1.2.3.4:5 --lru-cache-size 7 6.7.8.9:1';
  const { flags } = parseFlags(argv.split(' '));
  t.match(flags, {
    configFile: 'a.conf',
    outputDirectory: 'data',
    witness: true,
    p2pDisable: true,
    es: true,
    debug: true,
  });
  t.same(flags.seedNodes, ['1.2.3.4:5', '6.7.8.9:1']);
  t.equal(flags.keys.get('vm.lruCacheSize'), '7');
});

// Texts recorded from java-tron with JCommander 1.72 on 2026-11-21. JCommander takes an unknown option for a seed node.
// java-tron then rejects the address of this node.
const refused: readonly [string, string][] = [
  ['--foo', 'Unknown option: --foo (Invalid inetSocketAddress: "--foo", use ipv4:port or [ipv6]:port)'],
  ['-c', 'Expected a value after parameter -c'],
  ['-c a --config b', 'Can only specify option --config once.'],
  ['--p2p-disable', 'Expected a value after parameter --p2p-disable'],
  ['--p2p-disable yes', `"--p2p-disable": couldn't convert "yes" to a boolean`],
  ['--lru-cache-size 99999999999', `"--lru-cache-size": couldn't convert "99999999999" to an integer`],
  ['--lru-cache-size 2147483648', `"--lru-cache-size": couldn't convert "2147483648" to an integer`],
  [
    '--max-energy-limit-for-constant 9223372036854775808',
    `"--max-energy-limit-for-constant": couldn't convert "9223372036854775808" to a long`,
  ],
  ['--max-energy-limit-for-constant 1.5', `"--max-energy-limit-for-constant": couldn't convert "1.5" to a long`],
  ['--min-time-ratio z', `"--min-time-ratio": couldn't convert "z" to a double`],
];
for (const [argv, message] of refused)
  t.test(`rejects ${argv}`, async (t) => {
    t.throws(() => parseFlags(argv.split(' ')), { code: 'USAGE', message });
  });

t.test('a switch that is passed twice is off', async (t) => {
  t.equal(parseFlags(['-w', '-w']).flags.witness, false);
});

t.test('rejects combined short flags, like java-tron', async (t) => {
  for (const name of ['-debug', '-wv', '-cmy.conf'])
    t.throws(() => parseFlags([name]), { message: new RegExp(`^Unknown option: ${name} `), exitCode: 2 });
});

t.test('reads a value after an equals sign, and one that starts with a dash', async (t) => {
  t.equal(parseFlags(['--p2p-disable=true']).flags.p2pDisable, true);
  t.equal(parseFlags(['-p', '-x']).flags.privateKey, '-x');
  t.throws(() => parseFlags(['--witness=no']), { message: /^option --witness takes no value; remove "no"$/ });
});

t.test('suggests the known flag nearest to a mistyped one', async (t) => {
  t.throws(() => parseFlags(['--witnes']), { message: /; did you mean '--witness'\?$/ });
  t.throws(() => parseFlags(['-witness']), { message: /; did you mean '--witness'\?$/ });
  t.throws(() => parseFlags(['--something-else']), { message: /:port\)$/ });
});

t.test('points to the replacement of programs that release 4.8.2 starts instead of a node', async (t) => {
  t.throws(() => parseFlags(['--keystore-factory']), { message: /use tronicle keystore to create key files$/ });
  t.equal(parseFlags(['--solidity']).flags.solidity, true, 'a flag in this release, a separate program before');
});

t.test('says which flags have no effect, as the table of keys does', async (t) => {
  const docs = new Map(knownKeys.map(({ key, doc }) => [key, doc]));
  const isUnused = (key: string): boolean => /without effect(?! in release)/.test(docs.get(key) ?? '');
  for (const { names, key, doc } of flagRows)
    if (key !== undefined) t.equal(doc.includes('no effect'), isUnused(key), names.join());
});
