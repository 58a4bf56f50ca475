import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readArguments } from '../../../../src/node/command-line/read-arguments.js';
import { withSecretFiles } from '../../../../src/node/command-line/secret-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const read = (...args: string[]) => withSecretFiles(readArguments(args, 'run'));

t.test('reads private key and password from the first line of a file', async (t) => {
  const folder = temporaryFolder(t);
  const [key, password] = [join(folder, 'key'), join(folder, 'password')];
  writeFileSync(key, '00ff\n');
  writeFileSync(password, 'two words\r\nsecond line');
  const { flags, warnings } = read('--private-key-file', key, '--password-file', password, '-w');
  t.same([flags.privateKey, flags.password, flags.witness, warnings], ['00ff', 'two words', true, []]);
});

t.test('warns of a secret in the command line', async (t) => {
  const { flags, warnings } = read('-p', '00ff', '--password', 'secret');
  t.same([flags.privateKey, flags.password], ['00ff', 'secret']);
  t.match(warnings, [/^--private-key is visible .* use --private-key-file <file>$/, /^--password .* --password-file/]);
});

t.test('refuses a secret that is passed twice, and an unreadable or empty file', async (t) => {
  const empty = join(temporaryFolder(t), 'empty');
  writeFileSync(empty, '\n');
  t.throws(() => read('-p', '00', '--private-key-file', empty), { message: /not both$/, exitCode: 2 });
  t.throws(() => read('--private-key-file', `${empty}.none`), {
    message: /cannot read .*none does not exist; check the path$/,
    exitCode: 1,
  });
  t.throws(() => read('--password-file', empty), { message: /the first line of .* is empty/, exitCode: 1 });
});
