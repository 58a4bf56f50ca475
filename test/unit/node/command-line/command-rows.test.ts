import { readFileSync } from 'node:fs';
import t from 'tap';
import type { CommandRow } from '../../../../src/node/command-line/command-row.js';
import { commandRows } from '../../../../src/node/command-line/command-rows.js';
import { withCommandReference } from '../../../../src/node/command-line/document.js';
import { findCommand, refuseMistypedCommand } from '../../../../src/node/command-line/find-command.js';
import { readArguments } from '../../../../src/node/command-line/read-arguments.js';
import { loadCommand } from '../../../../src/node/commands/load-command.js';

const rows: readonly CommandRow[] = commandRows;

t.test('finds a command by its name and by an earlier name', async (t) => {
  t.equal(findCommand('status')?.name, 'status');
  t.equal(findCommand('drive')?.name, 'test-driver');
  t.equal(findCommand('toString'), undefined);
  t.equal(findCommand('sttaus'), undefined);
});

t.test('suggests the command nearest to a mistyped word', async (t) => {
  for (const [word, hint] of [
    ['sttaus', /did you mean 'status'\?/],
    ['Verify', /did you mean 'verify'\?/],
    ['devent', /did you mean 'devnet'\?/],
    ['something-else', /^unknown command 'something-else': run 'tronicle --help'/],
  ] as const)
    t.throws(() => refuseMistypedCommand(word), { message: hint, exitCode: 2 }, word);
});

t.test('treats flags and seed node addresses as arguments of run', async (t) => {
  for (const word of ['', '-c', '--witness', '192.0.2.1:18888', '[2001:db8::1]:18888', 'seed.example.org'])
    t.doesNotThrow(() => refuseMistypedCommand(word), word);
});

t.test('describes every command in one line, and loads it', async (t) => {
  for (const { name, summary } of commandRows) {
    t.ok(summary.length < 80 && /^[A-Z]/.test(summary) && !summary.endsWith('.'), `${name}: ${summary}`);
    t.type((await loadCommand[name]()).run, 'function', name);
  }
});

t.test('describes every argument and option in a sentence', async (t) => {
  for (const { name, options, words } of rows)
    for (const { doc } of [...options, ...words]) t.match(doc, /^[\w.-]+[: ].*[^.]$/, `${name}: ${doc}`);
});

t.test('every example of the help is accepted by the argument reader', async (t) => {
  for (const { name, examples } of commandRows)
    for (const example of examples) {
      const [program, command, ...args] = example.split(' ');
      t.same([program, command], ['tronicle', name], example);
      t.doesNotThrow(() => readArguments(args, name), example);
    }
});

t.test('docs/commands.md is generated from the rows', async (t) => {
  const page = readFileSync(new URL('../../../../docs/commands.md', import.meta.url), 'utf8');
  t.equal(withCommandReference(page), page, 'run `npm run build && node config/document.mjs`');
});

t.test('loads no command to print help', async (t) => {
  const source = readFileSync(new URL('../../../../src/node/main.ts', import.meta.url), 'utf8');
  t.notMatch(source, /^import .*commands\/(?!load-command)/m);
});
