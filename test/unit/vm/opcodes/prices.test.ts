import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { switchNames } from '../../../../src/vm/machine/rule-set.js';
import * as prices from '../../../../src/vm/opcodes/prices.js';
import { ROOT } from '../../../architecture/source-files.js';

// Checks that the code uses every declared price and every switch. An unused one means that a network change is only
// partly implemented.

const VM = join(ROOT, 'src/vm');
const tables = ['opcodes/prices.ts', 'machine/rule-set.ts', 'parameters/parameter-table.ts'];
const text = readdirSync(VM, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !tables.includes(name.replaceAll('\\', '/')))
  .map((name) => readFileSync(join(VM, name), 'utf8'))
  .join('\n');
const wordsOf = (source: string) => new Set(source.match(/\w+/g));

t.test('charges every declared price', async (t) => {
  const names = Object.keys(prices);
  // Removes texts and comments, because names of opcodes there may equal names of prices.
  const words = wordsOf(text.replaceAll(/'[^'\n]*'|\/\/.*|\/\*[\s\S]*?\*\//g, ''));
  t.ok(names.length > 40);
  t.same(
    names.filter((name) => !words.has(name)),
    [],
  );
});

t.test('every switch of the rules is used in an opcode row or in the code of the TVM', async (t) => {
  // Searches only for fields of the rules and for texts in opcode rows, because names such as `vote` are also common
  // words.
  const words = new Set(text.match(/(?<=rules?\.|switches\.|')\w+/g));
  t.same(
    switchNames.filter((name) => !words.has(name)),
    [],
  );
  t.ok(switchNames.length <= 53, 'the switches fit into the bits of one number');
});
