import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NodeConfig } from '../../config/load-config.js';

/** Returns the configured admin token, or one that is generated once and stored in `<data>/admin.token`. */
export function adminToken({ tronicle }: Pick<NodeConfig, 'tronicle'>, dataDir: string): string {
  const { token } = tronicle.admin;
  if (token !== '') return token;
  const file = join(dataDir, 'admin.token');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = randomBytes(24).toString('base64url');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}
