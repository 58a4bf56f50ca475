import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { readKeystore } from '../../../src/crypto/keystore/key-file.js';
import { keystore } from '../../../src/node/commands/keystore.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const KEY = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
/** TRON address of the test key in the definition of web3's secret storage. */
const ADDRESS = encodeBase58Check(fromHex('41008aeeda4d805471df9b2a5b0f38a0c3bcba786b'));

/**
 * Returns a folder for keys and a function that runs the command with --json. Files next to the folder contain the text
 * that an operator would type.
 */
function bench(t: Test) {
  const folder = temporaryFolder(t);
  const keys = join(folder, 'keys');
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const output = t.capture(process.stdout, 'write', () => true);
    try {
      await keystore.run([...args, '--keystore-dir', keys, '--json']);
      return JSON.parse(
        output()
          .map(({ args: [text] }) => String(text))
          .join(''),
      );
    } finally {
      output.restore();
    }
  };
  return { keys, file, run };
}

t.test('creates, lists and opens a key and changes its password', async (t) => {
  const { keys, file, run } = bench(t);
  t.same(await run('list'), { keystores: [] });
  const made = await run('new', '--password-file', file('one', 'two words\n'));
  t.match(made['file'], /^UTC--\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+Z--T\w{33}\.json$/);
  const path = join(keys, String(made['file']));
  t.equal(statSync(path).mode & 0o777, 0o600, 'only its owner reads it');
  t.same(await run('list'), { keystores: [made] });
  const key = readKeystore(path, 'two words');
  t.match(key, /^[0-9a-f]{64}$/);

  await t.rejects(run('update', String(made['address']), '--password-file', file('single', 'secret')), {
    message: /exactly two lines/,
  });
  const both = file('both', '\uFEFFtwo words\r\nanother one\n');
  t.same(await run('update', String(made['address']), '--password-file', both), { ...made, status: 'updated' });
  t.equal(readKeystore(path, 'another one'), key);
  t.throws(() => readKeystore(path, 'two words'), { message: /Invalid password provided/ });
  await t.rejects(run('update', String(made['address']), '--password-file', both), {
    message: 'Decryption failed: Invalid password provided',
  });
  t.equal(readdirSync(keys).length, 1, 'no temporary file exists');
});

t.test('imports a private key, and a duplicate only with --force', async (t) => {
  const { keys, file, run } = bench(t);
  const args = [
    'import',
    '--key-file',
    file('key', `0x${KEY.toUpperCase()}\n`),
    '--password-file',
    file('one', 'secret'),
  ];
  const { address, file: name } = await run(...args);
  t.equal(readKeystore(join(keys, String(name)), 'secret'), KEY);
  t.equal(address, ADDRESS);
  t.equal(JSON.parse(readFileSync(join(keys, String(name)), 'utf8')).version, 3);
  await t.rejects(run(...args), {
    message: `Keystore for address ${ADDRESS} already exists: ${name}. Use --force to import anyway.`,
  });
  await run(...args, '--force');
  await t.rejects(run('update', ADDRESS, '--password-file', file('both', 'secret\nsecret2')), {
    message: new RegExp(`^Multiple keystores found for address ${ADDRESS}:\n  UTC.*\n  UTC.*\nPlease remove`),
  });
});

t.test("rejects invalid input with the error texts of java-tron's Toolkit", async (t) => {
  const { keys, file, run } = bench(t);
  const good = file('good', 'secret');
  // Creates the folder, because the rejected commands above created none.
  mkdirSync(keys);
  const refused = (text: string | RegExp, ...args: readonly string[]): Promise<unknown> =>
    t.rejects(run(...args), { code: 'USAGE', message: text });
  await refused('Invalid password: must be at least 6 characters.', 'new', '--password-file', file('short', 'abcde\n'));
  await refused(/multiple lines/, 'new', '--password-file', file('two', 'secret\nsecret\n'));
  await refused(/^Password file not found: /, 'new', '--password-file', join(keys, 'none'));
  await refused(/too large \(max 1024 bytes\)/, 'new', '--password-file', file('large', 'x'.repeat(1025)));
  await refused(/^Not a regular file/, 'new', '--password-file', keys);
  symlinkSync(good, join(keys, 'link'));
  await refused(/^Refusing to follow symbolic link/, 'new', '--password-file', join(keys, 'link'));
  const key = (text: string): readonly string[] => ['import', '--key-file', file('key', text), '--password-file', good];
  await refused('Invalid private key: must be 64 hex characters.', ...key(KEY.slice(1)));
  await refused(/not a valid key/, ...key('00'.repeat(32)));
  await refused(`No keystore found for address: ${ADDRESS}`, 'update', ADDRESS, '--password-file', good);
  await refused(/^unknown action 'delete'\nUsage: tronicle keystore new/, 'delete');
  for (const args of [['new', '--password-file', good], ['list'], ['update', ADDRESS]])
    await t.rejects(
      keystore.run([...args, '--keystore-dir', good]),
      { code: 'USAGE', message: `Error: Path exists but is not a directory: ${good}` },
      `${args[0]}`,
    );
});

t.test('skips files without keys', async (t) => {
  const { keys, run } = bench(t);
  mkdirSync(join(keys, 'folder.json'), { recursive: true });
  writeFileSync(join(keys, 'text.json'), 'text');
  writeFileSync(join(keys, 'other.json'), '{"version": 3}');
  writeFileSync(join(keys, 'large.json'), ' '.repeat(9000));
  symlinkSync('/etc/hostname', join(keys, 'link.json'));
  writeFileSync(join(keys, 'closed.json'), '{}');
  chmodSync(join(keys, 'closed.json'), 0);
  const crypto = { cipher: 'aes-128-ctr', kdf: 'scrypt' };
  writeFileSync(join(keys, 'key.json'), JSON.stringify({ address: 'T1', crypto, version: 3, more: 1 }));
  writeFileSync(join(keys, 'key-of-ethers.json'), JSON.stringify({ address: 'T2', Crypto: crypto, version: 3 }));
  const warned = t.capture(process.stderr, 'write', () => true);
  t.same(await run('list'), {
    keystores: [
      { address: 'T2', file: 'key-of-ethers.json' },
      { address: 'T1', file: 'key.json' },
    ],
  });
  const lines = warned().map(({ args: [text] }) => String(text).trim());
  for (const text of ['non-regular file: folder.json', 'unreadable file: text.json', 'symbolic link: link.json'])
    t.ok(lines.includes(`Warning: skipping ${text}`), text);
  t.ok(lines.some((line) => line.includes('oversized file (>8192 bytes): large.json')));
});
