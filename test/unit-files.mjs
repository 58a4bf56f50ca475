// `node --import tsx test/unit-files.mjs <file> …` runs unit test files one after the other in this process, with one
// TAP report. One process avoids repeated start-up, which takes longer than most tests. After the results of a file,
// the report has a result whose name is the path of the file.
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
  // Tests at the top level run in order, so this test ends after all tests of the file.
  await t.test(file, async () => {});
  for (const teardown of teardowns.reverse()) await teardown();
  teardowns = [];
}
