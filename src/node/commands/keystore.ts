import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { dataFolderOf } from '../../config/flags.js';
import { decryptKey, encryptKey, type KeyFile } from '../../crypto/keystore/key-file.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { present } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import { type Arguments, readArguments, wrongUsage } from '../command-line/read-arguments.js';
import { type FoundKey, KeyFolder } from '../keystore/key-folder.js';
import { exportProtection, importProtection } from '../keystore/protection-file.js';
import { readBothPasswords, readNewPassword, readPrivateKey } from '../keystore/secrets.js';
import type { Command } from './command.js';

/** Creates and changes key files for `localwitnesskeystore`. Reference: keystore of the Toolkit of release 4.8.2. */
export const keystore: Command = {
  run,
};

/** Address prefix of all public TRON networks. */
const ADDRESS_PREFIX = 0x41;

type Action = (folder: KeyFolder, args: Arguments) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  new: make,
  import: take,
  list,
  update,
  'export-protection': (_, args) => moveProtection(args, exportProtection),
  'import-protection': (_, args) => moveProtection(args, importProtection),
};

/** Actions that accept one argument. */
const TAKING_ARGUMENT: ReadonlySet<string> = new Set(['update', 'export-protection', 'import-protection']);

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'keystore');
  const [name = '', ...words] = parsed.words;
  if (!Object.hasOwn(actions, name)) throw wrongUsage('keystore', `unknown action '${name}'`);
  if (words.length > (TAKING_ARGUMENT.has(name) ? 1 : 0)) throw wrongUsage('keystore', `${name} takes no argument`);
  const folder = new KeyFolder(parsed.options.get('--keystore-dir') ?? 'Wallet', warn);
  return present(actions[name], 'the name was checked above')(folder, { ...parsed, words });
}

async function make(folder: KeyFolder, args: Arguments): Promise<number> {
  const password = await readNewPassword(args.options.get('--password-file'));
  folder.make();
  let privateKey = randomBytes(32);
  while (!secp256k1.isPrivateKey(privateKey)) privateKey = randomBytes(32);
  return keep(folder, args, {
    key: encryptKey(privateKey, password, ADDRESS_PREFIX),
    done: 'Your new key was generated',
  });
}

async function take(folder: KeyFolder, args: Arguments): Promise<number> {
  const { options } = args;
  const privateKey = await readPrivateKey(options.get('--key-file'));
  if (!secp256k1.isPrivateKey(privateKey))
    throw new UsageError('Invalid private key: not a valid key for the selected algorithm.');
  const password = await readNewPassword(options.get('--password-file'));
  folder.make();
  const key = encryptKey(privateKey, password, ADDRESS_PREFIX);
  const existing = folder.list().find(({ address }) => address === key.address);
  if (existing !== undefined && !options.has('--force'))
    throw new UsageError(
      `Keystore for address ${key.address} already exists: ${existing.file}. Use --force to import anyway.`,
    );
  return keep(folder, args, { key, done: 'Imported keystore successfully' });
}

async function list(folder: KeyFolder, { options }: Arguments): Promise<number> {
  const keystores = folder.list();
  if (options.has('--json')) print(JSON.stringify({ keystores }));
  else if (keystores.length === 0) print(`No keystores found in: ${resolve(folder.path)}`);
  else for (const { address, file } of keystores) print(`${address.padEnd(45)} ${file}`);
  return 0;
}

async function update(folder: KeyFolder, { options, words }: Arguments): Promise<number> {
  const [address] = words;
  if (address === undefined) throw wrongUsage('keystore', 'update needs <address>');
  const { file } = only(folder, address);
  const { old, next } = await readBothPasswords(options.get('--password-file'));
  const privateKey = Buffer.from(decrypt(present(folder.read(file), 'the file exists in the folder'), old), 'hex');
  const key = encryptKey(privateKey, next, ADDRESS_PREFIX);
  if (key.address !== address)
    throw new UsageError(`Decryption failed: ${file} does not contain the key of ${address}`);
  folder.write(key, file);
  print(
    options.has('--json') ? JSON.stringify({ address, file, status: 'updated' }) : `Password updated for: ${address}`,
  );
  return 0;
}

/** Runs an export or import of signed blocks, and prints the number of witnesses. */
async function moveProtection(
  { flags, options, words }: Arguments,
  move: (file: string, dataDir: string, isForced: boolean) => number | Promise<number>,
): Promise<number> {
  const [file] = words;
  if (file === undefined) throw wrongUsage('keystore', 'the protection needs <file>');
  print(JSON.stringify({ witnesses: await move(file, dataFolderOf(flags), options.has('--force')) }));
  return 0;
}

/** Returns the only key file of an address. @throws {UsageError} no key file, or several */
function only(folder: KeyFolder, wantedAddress: string): FoundKey {
  const found = folder.list().filter(({ address }) => address === wantedAddress);
  const [first] = found;
  if (first === undefined) throw new UsageError(`No keystore found for address: ${wantedAddress}`);
  if (found.length === 1) return first;
  const files = found.map(({ file }) => `  ${file}`).join('\n');
  throw new UsageError(
    `Multiple keystores found for address ${wantedAddress}:\n${files}\nPlease remove duplicates and retry.`,
  );
}

function decrypt(key: KeyFile, password: string): string {
  try {
    return decryptKey(key, password);
  } catch (cause) {
    throw new UsageError(`Decryption failed: ${(cause as Error).message}`, { cause });
  }
}

function keep(folder: KeyFolder, { options }: Arguments, { key, done }: { key: KeyFile; done: string }): number {
  const file = folder.write(key);
  if (options.has('--json')) {
    print(JSON.stringify({ address: key.address, file }));
    return 0;
  }
  print(
    [
      ...[done, '', `Public address of the key:   ${key.address}`],
      ...[`Path of the secret key file: ${join(folder.path, file)}`, ''],
      'You can share the address. Keep the file secret. Back up the file and the password:',
      'a lost key cannot be recovered.',
    ].join('\n'),
  );
  return 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
