import t from 'tap';
import { commandRows } from '../../../../src/node/command-line/command-rows.js';
import { helpOf, helpText } from '../../../../src/node/command-line/help.js';
import { shownOptionsOf } from '../../../../src/node/command-line/options-of.js';

t.test('lists the commands and the exit codes', async (t) => {
  for (const { name, summary } of commandRows)
    t.match(helpText(), new RegExp(`^ {2}${name} +${patternOf(summary)}$`, 'm'));
  t.match(helpText(), 'Exit codes: 0 success, 1 failure, 2 wrong usage.');
});

t.test('lists every option of a command with its default, and an example', async (t) => {
  for (const row of commandRows) {
    const help = helpOf(row);
    const text = help.replaceAll(/\s+/g, ' ');
    for (const option of shownOptionsOf(row)) {
      t.match(text, `${option.names.join(', ')}${option.value === undefined ? '' : ` ${option.value}`} ${option.doc}`);
      t.match(text, option.fallback ?? '(default: ');
    }
    t.match(help, /\nExamples?:\n {2}tronicle /);
  }
});

t.test('lists the flags that affect a command, and those of java-tron for run', async (t) => {
  const optionsOf = (name: string): readonly string[] =>
    commandRows.filter((row) => row.name === name).flatMap((row) => shownOptionsOf(row).flatMap(({ names }) => names));
  t.same(optionsOf('verify').slice(-4), ['-d', '--output-directory', '-h', '--help']);
  t.ok(optionsOf('run').includes('--storage-transactionHistory-switch'));
  t.same(
    optionsOf('devnet').filter((name) => name === '--release' || name === '--output-directory'),
    ['--release'],
    'an option of the command replaces a flag of the same name',
  );
});

t.test('breaks lines at the width of the page', async (t) => {
  for (const row of commandRows) {
    const lines = helpOf(row).split('\n');
    t.same(
      lines.filter((line) => line.length > 100 && !line.startsWith('  tronicle ')),
      [],
      row.name,
    );
  }
});

function patternOf(text: string): string {
  return text.replaceAll(/[()[\]|.*+?]/g, '\\$&');
}
