import { readFileSync } from 'node:fs';
import t from 'tap';
import { mutants } from '../../reliability/mutants/mutants.js';

const root = new URL('../../../', import.meta.url);

for (const [name, list] of Object.entries(mutants)) {
  for (const { fault, file, find, replace } of list) {
    t.test(`${name}, "${fault}": the text of the fault is in its file once`, (t) => {
      const parts = readFileSync(new URL(file, root), 'utf8').split(find);
      t.equal(parts.length, 2, file);
      t.not(find, replace);
      t.end();
    });
  }
}
