// Compiles test files with the sources that they import. tsx compiles each module again in every process, which took 4 of
// the 6 s that a process needs until its first test.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../deploy/prepare.mjs';

/**
 * Compiles test files. A compiled module has the URL of its source.
 * @param files paths below the root of the checkout
 * @returns `fileOf` returns the compiled file of a test file; `remove` deletes all of them
 */
export async function bundleTests(files) {
  // On a fresh machine, `npm test` loads this file before it installs the packages.
  const { bundle } = await import('../src/bundle.mjs');
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'tests-'));
  await bundle({
    entryPoints: files.map((file, at) => ({ in: join(root, file), out: String(at) })),
    outdir: folder,
    sourcemap: 'inline',
    logLevel: 'warning',
    urlOf: (path) => JSON.stringify(pathToFileURL(path).href),
  });
  return {
    fileOf: (file) => join(folder, `${files.indexOf(file)}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
