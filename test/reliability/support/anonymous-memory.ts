import { readFileSync } from 'node:fs';

/**
 * Returns the anonymous memory of a process in bytes. It excludes the mapped pages of the database. Available only on
 * Linux.
 * @param pid default: this process
 */
export function anonymousBytes(pid: number | 'self' = 'self'): number {
  const line = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line === null) throw new Error('the system does not report the anonymous memory of a process');
  return Number(line[1]) * 1024;
}
