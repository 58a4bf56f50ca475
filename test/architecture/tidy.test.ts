import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { circlesOf } from './circles.js';
import { ROOT, readSources, type SourceFile, sourcePaths } from './source-files.js';

// Rules for the source tree that no compiler checks.

const sources = readSources('src');
const everything = [...sources, ...readSources('test', 'deploy', 'config', 'docs', 'proto')];

/**
 * Files that no other file imports, because they are started by name. They are the program, its threads, a page script,
 * and generators of documents.
 */
const ENTRIES = [
  'src/node/main.ts',
  'src/node/threads/forwarder/forwarder-worker.ts',
  'src/node/threads/api-threads/api-worker.ts',
  'src/node/threads/pool/pool-worker.ts',
  'src/node/threads/signatures/signature-worker.ts',
  'src/node/threads/executed-changes/executed-changes-worker.ts',
  'src/light-client/page.ts',
  'src/config/document.ts',
  'src/node/command-line/document.ts',
];

t.test('exports only names that another file imports', async (t) => {
  const imported = new Set(everything.flatMap(({ imports }) => imports.map(([path, name]) => `${path}:${name}`)));
  const unused = (file: SourceFile): readonly string[] =>
    imported.has(`${file.path}:*`) ? [] : file.exports.filter((name) => !imported.has(`${file.path}:${name}`));
  const lonely = sources.flatMap((file) => unused(file).map((name) => `${file.path}: ${name}`));
  t.same(lonely, [], 'an unused export: remove the keyword or the declaration');
});

t.test('uses every source file in the program', async (t) => {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const reached = new Set<string>();
  t.same(
    ENTRIES.filter((path) => !byPath.has(path)),
    [],
    'every listed entry point exists',
  );
  const open = [...ENTRIES];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...(byPath.get(path)?.imports.map(([target]) => target) ?? []));
  }
  t.same(
    [...byPath.keys()].filter((path) => !reached.has(path)),
    [],
  );
});

t.test('no files import each other in a circle, types included', async (t) => {
  const circles = circlesOf(sources).map((circle) => [...circle].sort());
  const known = new Set(CIRCLES.map((circle) => circle.join()));
  t.same(
    circles.filter((circle) => !known.has(circle.join())),
    [],
    'move shared declarations to a separate file',
  );
  t.equal(circles.length, CIRCLES.length, 'every listed exception still exists');
});

t.test('limits the number of files per folder', async (t) => {
  const counts = new Map<string, number>();
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  t.same(
    [...counts].filter(([, count]) => count > FOLDER_FILES_MAX),
    [],
  );
});

t.test('has a unit test of the same name for most files of block rules, TVM and peers', async (t) => {
  for (const modules of [['state-transition', 'vm'], ['p2p']]) {
    const files = modules.flatMap((module) => sourcePaths(`src/${module}`));
    const tested = files.filter((file) =>
      existsSync(join(ROOT, 'test/unit', file.slice(4).replace(/\.ts$/, '.test.ts'))),
    );
    t.ok(tested.length >= TESTED_SHARE_MIN * files.length, `${modules}: ${tested.length} of ${files.length}`);
  }
});

t.test('defines a named number in only one file of a module', async (t) => {
  const places = new Map<string, Set<string>>();
  for (const { path } of sources.filter(({ path }) => !path.includes('/generated/'))) {
    const module = path.split('/')[1];
    for (const [, name = '', value = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(NUMBER_CONSTANT)) {
      const key = `${module}: ${name} = ${value}`;
      places.set(key, (places.get(key) ?? new Set()).add(path));
    }
  }
  const twice = [...places].filter(([key, { size }]) => size > 1 && !COINCIDENCES.has(key));
  t.same(
    twice.map(([key, paths]) => `${key} in ${[...paths].join(', ')}`),
    [],
    'define a number of the rules in one file',
  );
  t.same(
    [...COINCIDENCES].filter((key) => (places.get(key)?.size ?? 0) < 2),
    [],
    'every listed coincidence still exists',
  );
});

t.test('keeps comment lines within the page width', async (t) => {
  const paths = sourcePaths('src')
    .concat(sourcePaths('test'))
    .filter((path) => !path.includes('generated/'));
  const long = paths.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .filter((line) => line.length > COLUMNS_MAX && COMMENT.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  t.same(long, [], 'comment lines above the page width');
});

t.test('finds every file that a document names', async (t) => {
  const files = FOLDERS.flatMap((folder) => filesIn(folder)).map((path) => `/${path}`);
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...files.filter((path) => path.endsWith('.md')),
  ];
  const missing = documents.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(NAMED_FILE)]
      .map(([, name]) => name!)
      // A document names a file by its name, with as many folders as are needed to identify it.
      .filter((name) => !files.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${path}: ${name}`),
  );
  t.same(missing, []);
});

/**
 * Groups of files that may import each other, because their types refer to each other: a codec and its message types, a
 * row and its table.
 */
const CIRCLES: readonly (readonly string[])[] = [
  ['src/codec/descriptor.ts', 'src/codec/merge-message.ts', 'src/codec/reader.ts', 'src/codec/writer.ts'],
  ['src/state-transition/state/journal.ts', 'src/state-transition/state/table.ts'],
];
const COLUMNS_MAX = 120;
/** Matches a line of a comment. Suppressions of the linter are excluded, because each must be on one line. */
const COMMENT = /^\s*(?:\*|\/\*\*|\/\/)(?! biome-ignore)/;
const FOLDER_FILES_MAX = 20;
const TESTED_SHARE_MIN = 0.7;

/** Matches a top-level constant that is a number or is computed from numbers. */
const NUMBER_CONSTANT = /^(?:export )?const ([A-Z][A-Z0-9_]+) = ([\d(][\w\s.*+()<>-]*);$/gm;

/** Names of constants that have the same number in several unrelated files. Each may change independently. */
const COINCIDENCES: ReadonlySet<string> = new Set([
  'api: BODY_BYTES_MAX = 256 * 1024',
  'api: CONNECTIONS_MAX = 4_000',
  'api: REQUEST_TIMEOUT_MS = 60_000',
  'api: SHORTEST_MS = 1',
  'p2p: DATAGRAM_BYTES_MAX = 2048',
  'p2p: FIRST_MS = 1000',
  'p2p: FIRST_MS = 300_000',
  'p2p: PERIOD_MS = 3_600_000',
  'p2p: PERIOD_MS = 5000',
  'crypto: DIGIT_BITS = 4',
]);

const FOLDERS = ['src', 'test', 'config', 'deploy', 'docs', 'proto'];

/** Matches the path of a source file in backticks. A leading `../` is not part of the match. */
const NAMED_FILE = /`(?:\.{1,2}\/)*([\w-][\w./-]*\.(?:ts|mjs|proto))`/g;

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => join(folder, name).replaceAll('\\', '/'));
}
