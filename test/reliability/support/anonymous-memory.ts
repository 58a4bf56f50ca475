import { readFileSync } from 'node:fs';

/** Anonymous memory of this process in bytes, without the mapped pages of the database. Available only on Linux. */
export function anonymousBytes(): number {
  const line = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  if (line === null) throw new Error('the system does not tell anonymous memory');
  return Number(line[1]) * 1024;
}
