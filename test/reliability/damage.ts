import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { golden, runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

const config = join(golden, 'stake', 'config.conf');
const child = fileURLToPath(new URL('./support/folder-content-child.ts', import.meta.url));

export const damage: Measurement = {
  title: 'detects random overwritten bytes in any data file at start',
  gate: 200,
  night: 2000,
  async run({ count, folder, random }) {
    const intact = join(folder, 'intact');
    assert.equal(
      (await runTronicle(['import', join(golden, 'stake', 'blocks.ndjson.gz'), '-c', config, '-d', intact])).code,
      0,
    );
    const before = await contentOf(intact);
    const result = { refused: 0, harmless: 0 };
    for (let attempt = 0; attempt < count; attempt++) {
      const data = join(folder, 'damaged');
      rmSync(data, { recursive: true, force: true });
      cpSync(intact, data, { recursive: true });
      const what = overwrite(data, random);
      const { code, signal, stderr } = await runTronicle(['verify', '-d', data]);
      assert.equal(signal, null, `${what}: ended by ${signal}`);
      if (code === 0) {
        assert.equal(await contentOf(data), before, `${what}: other rows without an error`);
        result.harmless++;
        continue;
      }
      assert.match(stderr, /tronicle (replay|export)/, `${what}: ${stderr}`);
      result.refused++;
    }
    return `${result.refused} refused with file and command, ${result.harmless} without effect, 0 by signal, 0 silent`;
  },
};

/** Returns a hash over all rows of a folder. A child process reads the rows, because damage can crash the reader. */
async function contentOf(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', child, folder]);
  return stdout;
}

/** Overwrites 1 to 64 bytes at one position of one file. */
function overwrite(folder: string, random: () => number): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > 0);
  const file = files[Math.floor(random() * files.length)]!;
  const { size } = statSync(file);
  const at = Math.floor(random() * size);
  const bytes = Buffer.alloc(Math.min(size - at, 1 + Math.floor(random() * 64)));
  const handle = openSync(file, 'r+');
  readSync(handle, bytes, 0, bytes.length, at);
  for (let place = 0; place < bytes.length; place++) bytes[place] = Math.floor(random() * 256);
  writeSync(handle, bytes, 0, bytes.length, at);
  return `${file} at ${at}, ${bytes.length} bytes`;
}
