import type { CommandRow } from './command-row.js';
import { commandRows } from './command-rows.js';
import { optionDoc, optionText, wordDoc } from './help.js';
import { shownOptionsOf } from './options-of.js';

/** Heading of the generated part of `docs/commands.md`. The part ends at the next heading of the same level. */
const HEADING = '## Options of each command';

/** Returns the text of `docs/commands.md` with a new generated part. */
export function withCommandReference(page: string): string {
  const start = page.indexOf(HEADING);
  const end = page.indexOf('\n## ', start);
  return `${page.slice(0, start)}${commandReference()}${page.slice(end)}`;
}

function commandReference(): string {
  const intro =
    '`tronicle <command> --help` prints the text of its section. Every command except `devnet`, `completion` and `man` also accepts the flags of java-tron, which are the options of `run` from `-c` on.';
  return [HEADING, '', intro, '', ...commandRows.flatMap(sectionOf)].join('\n');
}

function sectionOf(command: CommandRow): readonly string[] {
  const { name, summary, usage, words, examples, notes = [] } = command;
  const rows = [
    ...words.map((word) => [word.name, wordDoc(word)] as const),
    ...shownOptionsOf(command).map((row) => [optionText(row), optionDoc(row)] as const),
  ];
  return [
    `### ${name}`,
    '',
    `${summary}.`,
    '',
    '```console',
    ...usage.map((form) => `tronicle ${form}`),
    '```',
    '',
    '| argument | meaning |',
    '|---|---|',
    ...rows.map(([argument, doc]) => `| ${cell(`\`${argument}\``)} | ${cell(escaped(doc))} |`),
    '',
    ...notes.flatMap((note) => [escaped(note), '']),
    '```console',
    ...examples,
    '```',
    '',
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Puts names such as `<file>` in backticks. Without backticks, the documentation site would read the names as HTML. */
function escaped(text: string): string {
  return text.replaceAll(/\S*<[^>]*>\S*/g, (part) => `\`${part}\``);
}
