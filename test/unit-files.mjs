// Runs unit tests in this process, one file behind the other, as one TAP report:
// `node --import tsx test/unit-files.mjs <file> …`. Starting a process and loading the program cost more than most of
// these tests. Behind the points of a file comes one with its name.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

/** What a file leaves for its end is done at its end, not at that of the process. */
let teardowns = [];
t.teardown = (teardown) => teardowns.push(teardown);

for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    t.fail(`${file} cannot be loaded`, { error: String(error?.stack ?? error) });
  }
  // Root tests run in order: this one ends when all of the file have ended.
  await t.test(file, async () => {});
  for (const teardown of teardowns.reverse()) await teardown();
  teardowns = [];
}
