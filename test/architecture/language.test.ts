import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { commentsOf, FLAGGED_WORDS, languageFault } from './language.js';
import { ROOT, readSources, sourcePaths } from './source-files.js';

/** Paths of the documents for readers. Generated documents are excluded. */
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'writing.md')
    .map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('README.md'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`),
];
const README_LINES_MAX = 80;
const CELL_CHARACTERS_MAX = 120;

t.test('writes comments as sentences in the words of the field', async (t) => {
  const comments = sourcePaths('src')
    .filter((path) => !path.includes('/generated/'))
    .flatMap(commentsOf);
  t.ok(comments.length > 3000, `${comments.length} comments are read`);
  const faults = comments.flatMap(({ path, line, text }) => {
    const fault = languageFault(text);
    return fault === undefined ? [] : [`${path}:${line} ${fault}`];
  });
  t.same(faults, [], 'docs/writing.md lists the replacements');
});

t.test('uses the words of the field in documents', async (t) => {
  const faults = DOCUMENTS.flatMap((path) =>
    proseOf(path).flatMap((line, index) => {
      const fault = languageFault(line);
      return fault === undefined || fault.startsWith('starts') ? [] : [`${path}:${index + 1} ${fault}`];
    }),
  );
  t.same(faults, []);
});

t.test('limits the README to two screens and a table cell to one line', async (t) => {
  const lines = readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n');
  t.ok(lines.length <= README_LINES_MAX, `${lines.length} lines`);
  const long = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => line.split('|').map((cell) => cell.trim()))
      .filter((cell) => cell.length > CELL_CHARACTERS_MAX)
      .map((cell) => `${path}: ${cell}`),
  );
  t.same(long, []);
});

t.test('has one meaning per exported name', async (t) => {
  const files = new Map<string, Set<string>>();
  for (const { path, exports } of readSources('src'))
    for (const name of exports) files.set(name, (files.get(name) ?? new Set()).add(path));
  const several = [...files].filter(([, paths]) => paths.size > 1);
  t.same(
    several.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`),
    [],
  );
});

t.test('flags the same words as the spell checker', async (t) => {
  const { flagWords } = JSON.parse(readFileSync(join(ROOT, 'cspell.json'), 'utf8')) as { flagWords: string[] };
  t.same([...flagWords].sort(), Object.keys(FLAGGED_WORDS).sort());
});

t.test('detects a sentence fragment and a private word', async (t) => {
  t.match(languageFault('Whether a peer is there.'), 'Whether');
  t.match(languageFault('The block is taken apart here.'), 'taken apart');
  t.match(languageFault('Nobody reads it.'), 'Nobody');
  t.equal(languageFault('Returns the block. Reference: `Whoever.told`.'), undefined);
});

/**
 * Returns the lines of a document that are outside of code blocks. The language check itself ignores code within a
 * line.
 */
function proseOf(path: string): readonly string[] {
  let isCode = false;
  return readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      return isCode ? '' : line;
    });
}
