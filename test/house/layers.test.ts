import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT, readSources } from './source-files.js';

// Folders of the machine, the lowest first: a file imports from its own folder and those before it, types included.
// src/vm/README.md says what each is for.
const LAYERS = [
  'parameters',
  'releases',
  'state',
  'consensus',
  'resources',
  'rewards',
  'native',
  'machine',
  'precompiles',
  'opcodes',
  'interpreter',
  'smart-contract',
];
/** Folders beside and above: blocks and transactions run programs, system contracts do not. */
const ABOVE = ['contracts', 'transactions', 'block', 'tracing', 'proposals', 'account-trie'];

const sources = readSources('src/vm');
const imports = sources.flatMap(({ path, imports }) =>
  imports.flatMap(([target]) =>
    target.startsWith('src/vm/') ? [{ path, from: folderOf(path), to: folderOf(target) }] : [],
  ),
);

t.test('a layer of the machine imports from those below it', async (t) => {
  for (const folder of LAYERS)
    t.ok(
      imports.some(({ from }) => from === folder),
      `${folder} is there`,
    );
  const wrong = imports.filter(({ from, to }) => {
    const place = LAYERS.indexOf(from);
    return place >= 0 && (LAYERS.indexOf(to) > place || ABOVE.includes(to));
  });
  t.same(wrong, []);
});

t.test('system contracts import nothing of the machine: what both do is native', async (t) => {
  const machine = LAYERS.slice(LAYERS.indexOf('machine'));
  t.same(
    imports.filter(({ from, to }) => from === 'contracts' && machine.includes(to)),
    [],
  );
});

t.test('the rules have no clock', async (t) => {
  const reads = /Date\.now|new Date\(\)|performance\.|hrtime/;
  t.same(
    sources.filter(({ path }) => reads.test(readFileSync(join(ROOT, path), 'utf8'))).map(({ path }) => path),
    [],
  );
});

/** Of a file right in src/vm: nothing. */
function folderOf(path: string): string {
  const [, , folder = '', file] = path.split('/');
  return file === undefined ? '' : folder;
}
