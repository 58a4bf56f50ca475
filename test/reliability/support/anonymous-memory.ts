import { readFileSync } from 'node:fs';

/**
 * Memory of this process that is in no file, bytes: the mapped pages of the database are not counted. Linux alone tells
 * it.
 */
export function anonymousBytes(): number {
  const line = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  if (line === null) throw new Error('the system does not tell anonymous memory');
  return Number(line[1]) * 1024;
}
