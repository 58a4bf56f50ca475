// Runs unit test files in sequence in this process, as one TAP report: `node --import tsx test/unit-files.mjs <file> …`.
// One process avoids repeated start-up, which takes longer than most tests. A point with the file name follows the
// points of each file.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

/** Teardowns of the current file. They run at the end of the file, not of the process. */
let teardowns = [];
t.teardown = (teardown) => teardowns.push(teardown);

for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    t.fail(`failed to load ${file}`, { error: String(error?.stack ?? error) });
  }
  // Root tests run in order, so this one ends after all tests of the file.
  await t.test(file, async () => {});
  for (const teardown of teardowns.reverse()) await teardown();
  teardowns = [];
}
