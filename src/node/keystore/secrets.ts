import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../../primitives/errors.js';
import { readRegular, type UnreadableReason } from './key-folder.js';

/** Maximum size of a password or key file, in bytes. Reference: KeystoreCliUtils.MAX_FILE_SIZE. */
const SECRET_BYTES_MAX = 1024;
const PASSWORD_LENGTH_MIN = 6;

/**
 * Returns a new password from the file. Without a file, prompts for the password twice on the terminal. Reference:
 * KeystoreCliUtils.readPassword.
 * @throws {UsageError} the input is invalid; the text is that of java-tron
 */
export async function readNewPassword(file: string | undefined): Promise<string> {
  if (file !== undefined) {
    const password = withoutLineEnd(readSecret(file, 'Password file'));
    if (/[\n\r]/.test(password))
      throw new UsageError(
        'Password file contains multiple lines; provide a single-line password (the `keystore update` two-line format is not accepted here).',
      );
    return checked(password, 'password');
  }
  const password = await prompt('Enter password: ', 'Use --password-file to provide password.');
  if (password !== (await prompt('Confirm password: ', ''))) throw new UsageError('Passwords do not match.');
  return checked(password, 'password');
}

/**
 * Returns the current password of a key file and its new password. Reference: KeystoreUpdate.
 * @throws {UsageError} the input is invalid; the text is that of java-tron
 */
export async function readBothPasswords(file: string | undefined): Promise<{ old: string; next: string }> {
  if (file !== undefined) {
    const lines = readSecret(file, 'Password file').split(/\r?\n|\r/);
    while (lines.at(-1) === '') lines.pop();
    const [old, next] = lines;
    if (lines.length !== 2 || old === undefined || next === undefined)
      throw new UsageError(
        'Password file must contain exactly two lines: current password on the first line and new password on the second line (no confirmation line).',
      );
    return { old, next: checked(next, 'new password') };
  }
  const old = await prompt('Enter current password: ', 'Use --password-file to provide passwords.');
  const next = await prompt('Enter new password: ', '');
  if (next !== (await prompt('Confirm new password: ', ''))) throw new UsageError('New passwords do not match.');
  return { old, next: checked(next, 'new password') };
}

/**
 * Returns the 32 bytes of a private key. Reference: KeystoreImport.
 * @throws {UsageError} the input is invalid; the text is that of java-tron
 */
export async function readPrivateKey(file: string | undefined): Promise<Uint8Array> {
  const text =
    file === undefined
      ? await prompt('Enter private key (hex): ', 'Use --key-file to provide private key.')
      : readSecret(file, 'Key file').trim();
  const digits = text.replace(/^0[xX]/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new UsageError('Invalid private key: must be 64 hex characters.');
  return Buffer.from(digits, 'hex');
}

const REFUSALS: Readonly<Record<UnreadableReason, (label: string, path: string) => string>> = {
  missing: (label, path) => `${label} not found: ${path}`,
  link: (_label, path) => `Refusing to follow symbolic link: ${path}`,
  irregular: (_label, path) => `Not a regular file: ${path}`,
  oversized: (label, path) => `${label} too large (max ${SECRET_BYTES_MAX} bytes): ${path}`,
};

function readSecret(path: string, label: string): string {
  const read = readRegular(path, SECRET_BYTES_MAX);
  if (typeof read === 'string') throw new UsageError(REFUSALS[read](label, path));
  return read.toString().replace(/^\uFEFF/, '');
}

function withoutLineEnd(text: string): string {
  return text.replace(/[\n\r]+$/, '');
}

function checked(password: string, name: string): string {
  if (password.length < PASSWORD_LENGTH_MIN) throw new UsageError(`Invalid ${name}: must be at least 6 characters.`);
  return password;
}

/** Reads a line from the terminal without echo. @param instead advice in the error if there is no terminal */
async function prompt(question: string, instead: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`No interactive terminal available. ${instead}`);
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    for await (const line of lines) return line;
    throw new UsageError('Password input cancelled.');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
