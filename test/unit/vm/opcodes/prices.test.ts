import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { switchNames } from '../../../../src/vm/machine/rule-set.js';
import * as prices from '../../../../src/vm/opcodes/prices.js';
import { ROOT } from '../../../house/source-files.js';

// A price or a switch that is declared, and that no rule reads, is a change of the network that was half made.

const VM = join(ROOT, 'src/vm');
const tables = ['opcodes/prices.ts', 'machine/rule-set.ts'];
const text = readdirSync(VM, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !tables.includes(name.replaceAll('\\', '/')))
  .map((name) => readFileSync(join(VM, name), 'utf8'))
  .join('\n');
const wordsOf = (source: string) => new Set(source.match(/\w+/g));

t.test('every price is what something costs', async (t) => {
  const names = Object.keys(prices);
  // Rows name their opcodes, and those may be called as their prices are.
  const words = wordsOf(text.replaceAll(/'[^'\n]*'|\/\/.*|\/\*[\s\S]*?\*\//g, ''));
  t.ok(names.length > 40);
  t.same(
    names.filter((name) => !words.has(name)),
    [],
  );
});

t.test('every switch is asked for', async (t) => {
  const words = wordsOf(text);
  t.same(
    switchNames.filter((name) => !words.has(name)),
    [],
  );
  t.ok(switchNames.length <= 53, 'rule sets are found by a number that holds a bit for each');
});
