import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** Yields the lines of a file of a recording, parsed as JSON. */
export async function* readLines<T>(file: string): AsyncGenerator<T> {
  const lines = createInterface({
    input: createReadStream(file).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as T;
}

/** Returns the start options of the recorded node. */
export function flagsOf(folder: string): string[] {
  const file = join(folder, 'run.json');
  if (!existsSync(file)) return [];
  const run = JSON.parse(readFileSync(file, 'utf8')) as { flags?: string[] } & Record<string, unknown>;
  return run.flags ?? [];
}
