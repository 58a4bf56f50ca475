// Compiles test files with the sources that they import. With tsx, every process would compile each module again, which
// takes 4 of the 6 s that a process needs until its first test.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../deploy/prepare.mjs';

const CACHE = join(root, 'node_modules/.cache');
const FOLDER = join(CACHE, 'tests-');

/** Returns true if a program is a file that `bundleTests` compiled. */
export const isCompiledTest = (file) => file.startsWith(FOLDER);

/**
 * Compiles test files. A compiled module has the URL of its source.
 * @param files paths below the root of the checkout
 * @returns `fileOf` returns the compiled file of a test file; `remove` deletes all of them
 */
export async function bundleTests(files) {
  // On a fresh machine, `npm test` loads this file before it installs the packages.
  const { bundle } = await import('../src/bundle.mjs');
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(FOLDER);
  await bundle({
    entryPoints: files.map((file, at) => ({ in: join(root, file), out: String(at) })),
    outdir: folder,
    sourcemap: 'linked',
    logLevel: 'warning',
    urlOf: (path) => JSON.stringify(pathToFileURL(path).href),
  });
  return {
    fileOf: (file) => join(folder, `${files.indexOf(file)}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
