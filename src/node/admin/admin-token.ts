import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NodeConfig } from '../../config/load-config.js';

/** An admin token, and the configuration key or file from which it was read. */
interface TokenSource {
  readonly token: string;
  readonly source: string;
}

/**
 * Returns the admin token that a running node of the data folder accepts: the configured token, or else the token of
 * the file `<data>/admin.token`. Returns an empty text if neither exists.
 */
export function readAdminToken({ tronicle }: Pick<NodeConfig, 'tronicle'>, dataDir: string): TokenSource {
  const { token } = tronicle.admin;
  if (token !== '') return { token, source: 'tronicle.admin.token' };
  const file = tokenFile(dataDir);
  return { token: existsSync(file) ? readFileSync(file, 'utf8').trim() : '', source: file };
}

/**
 * Returns the configured admin token. If no token is configured, returns the token of `<data>/admin.token`, and creates
 * this file if it is missing.
 */
export function adminToken({ tronicle }: Pick<NodeConfig, 'tronicle'>, dataDir: string): string {
  const { token } = readAdminToken({ tronicle }, dataDir);
  if (token !== '') return token;
  const file = tokenFile(dataDir);
  const made = randomBytes(24).toString('base64url');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

function tokenFile(dataDir: string): string {
  return join(dataDir, 'admin.token');
}
