import { readFileSync } from 'node:fs';
import type { Flags } from '../../config/flags.js';
import { isSystemError, systemErrorText } from '../../files/system-error.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import type { Arguments } from './read-arguments.js';

/** Flags with a secret, each with the option that reads the secret from a file. */
const SECRETS = [
  { flag: '--private-key', field: 'privateKey', option: '--private-key-file' },
  { flag: '--password', field: 'password', option: '--password-file' },
] as const;

/**
 * Returns the flags, with the secrets from the named files. Also returns a warning for each secret on the command line,
 * because other users can see it.
 * @throws {ArgumentError} a secret is set both by a flag and by a file
 * @throws {UsageError} a file is unreadable, or its first line is empty
 */
export function withSecretFiles({ flags, options }: Pick<Arguments, 'flags' | 'options'>): {
  readonly flags: Flags;
  readonly warnings: readonly string[];
} {
  const read: { privateKey?: string; password?: string } = {};
  const warnings: string[] = [];
  for (const { flag, field, option } of SECRETS) {
    const file = options.get(option);
    if (flags[field] !== undefined && file !== undefined) throw new ArgumentError(`use ${flag} or ${option}, not both`);
    if (flags[field] !== undefined)
      warnings.push(`${flag} is visible to all users of this machine (ps); use ${option} <file>`);
    if (file !== undefined) read[field] = secretIn(file, option);
  }
  return { flags: { ...flags, ...read }, warnings };
}

/** Returns the first line of a file. Follows symbolic links, because Kubernetes mounts secrets as links. */
function secretIn(file: string, option: string): string {
  try {
    const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/);
    if (line !== '') return line;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw new UsageError(`cannot read the file of ${option}: ${systemErrorText(cause, file)}`, { cause });
  }
  throw new UsageError(`the first line of ${file} is empty; ${option} needs the secret on that line`);
}
