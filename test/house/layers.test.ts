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

// The same of streams: what is read, what is made of it, where it goes. Words of all of them are right in src/streams.
const STREAM_LAYERS = ['follow', 'records', 'sinks'];
const streams = readSources('src/streams');

t.test('a layer of the streams imports from those below it, and no file of them from itself by another', async (t) => {
  const wrong = streams.flatMap(({ path, imports }) =>
    imports
      .filter(([target]) => {
        const place = STREAM_LAYERS.indexOf(folderOf(path));
        return place >= 0 && STREAM_LAYERS.indexOf(folderOf(target)) > place && target.startsWith('src/streams/');
      })
      .map(([target]) => `${path}: ${target}`),
  );
  t.same(wrong, []);
  t.same(circlesIn(streams), []);
});

/** Files that import themselves by others, types included. */
function circlesIn(files: ReturnType<typeof readSources>): readonly string[] {
  const targets = new Map(files.map(({ path, imports }) => [path, imports.map(([target]) => target)]));
  return [...targets.keys()].filter((start) => {
    const seen = new Set<string>();
    const open = [...(targets.get(start) ?? [])];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (path === start) return true;
      if (seen.has(path)) continue;
      seen.add(path);
      open.push(...(targets.get(path) ?? []));
    }
    return false;
  });
}
