import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { mutants } from '../reliability/mutants/mutants.js';
import { mutations } from '../simulation/mutations.js';
import { scenarios } from '../simulation/scenarios.js';
import { ROOT } from './source-files.js';

t.test('the text that a fault replaces occurs exactly once in its file', async (t) => {
  for (const { fault, file, find, replace } of [...mutations, ...Object.values(mutants).flat()]) {
    const places = readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;
    t.equal(places, 1, `${fault}: ${file}`);
    t.not(find, replace, fault);
  }
});

t.test('names an existing scenario for each mutation that a scenario finds', async (t) => {
  const missing = mutations.filter(
    ({ by }) => typeof by === 'string' && !scenarios.some(({ name }) => name.includes(by)),
  );
  t.same(missing, []);
});
