import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { mutations } from '../simulation/mutations.js';
import { ROOT } from './source-files.js';

t.test('finds the text that a mutation removes exactly once in its file', async (t) => {
  for (const { what, file, from } of mutations) {
    const places = readFileSync(join(ROOT, file), 'utf8').split(from).length - 1;
    t.equal(places, 1, `${what}: ${file}`);
  }
});
