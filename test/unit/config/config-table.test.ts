import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { knownKeys } from '../../../src/config/config-table.js';
import { configReference, movementReference, schemaFiles, sinkReference } from '../../../src/config/document.js';
import { flagRows } from '../../../src/config/flags.js';
import recorded from './config-keys.vectors.json' with { type: 'json' };

t.test('has one row with its default for every key of java-tron', async (t) => {
  const rows = new Map(knownKeys.map((row) => [row.key, row]));
  t.equal(rows.size, knownKeys.length, 'no key twice');
  t.equal(recorded.keys.length, 223);
  for (const [key, fallback] of recorded.keys as [string, string][]) t.equal(rows.get(key)?.fallback, fallback, key);
});

t.test('documents every key and flag as in the table', async (t) => {
  const readme = readFileSync(new URL('../../../config/README.md', import.meta.url), 'utf8');
  t.ok(readme.endsWith(configReference()), 'run `npm run build && node config/document.mjs`');
  t.equal(flagRows.length, 37, '35 of java-tron 4.7.2, --solidity of 4.8.2, and --release');
});

t.test('documents the delivery guarantee of every kind of sink', async (t) => {
  const page = readFileSync(new URL('../../../docs/streams.md', import.meta.url), 'utf8');
  t.ok(page.includes(`\n${sinkReference()}\n\n`), 'run `npm run build && node config/document.mjs`');
});

t.test('documents every kind of balance movement', async (t) => {
  const page = readFileSync(new URL('../../../docs/streams.md', import.meta.url), 'utf8');
  t.ok(page.includes(`\n${movementReference()}\n\n`), 'run `npm run build && node config/document.mjs`');
});

t.test('documents the schemas of all records', async (t) => {
  const folder = new URL('../../../docs/public/schemas/', import.meta.url);
  const files = schemaFiles();
  t.same(readdirSync(folder).sort(), [...files.keys()].sort());
  for (const [name, text] of files)
    t.equal(
      readFileSync(new URL(name, folder), 'utf8'),
      text,
      `${name}: run \`npm run build && node config/document.mjs\``,
    );
});
