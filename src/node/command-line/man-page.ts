import type { CommandRow } from './command-row.js';
import { commandRows } from './command-rows.js';
import { optionDoc, optionText, wordDoc } from './help.js';
import { shownOptionsOf } from './options-of.js';

/** Returns the manual page (section 1) as source text for `man`. */
export function manPage(version: string): string {
  return [
    `.TH TRONICLE 1 "" ${quoted(`tronicle ${version}`)} "User Commands"`,
    '.SH NAME',
    `tronicle ${escaped('-')} event${escaped('-')}sourced full node for the TRON network`,
    '.SH SYNOPSIS',
    '.B tronicle',
    '[\\fIcommand\\fR] [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    'Runs a node that executes blocks by the rules of java-tron, or a tool for the data folder of a node.',
    'Without a command name, \\fBrun\\fR is used.',
    'Every command except devnet, completion and man also accepts the flags of java-tron, which are the options of \\fBrun\\fR from \\fB\\-c\\fR on.',
    '.SH COMMANDS',
    ...commandRows.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...entry('0', 'The command succeeded.'),
    ...entry('1', 'The command failed.'),
    ...entry('2', 'The command line is invalid. The command did nothing.'),
    '.SH ENVIRONMENT',
    ...entry(
      'TRONICLE_LOG_LEVEL',
      'Lowest level of log lines. --log-level overrides this variable, and this variable overrides tronicle.log.level.',
    ),
    '.SH FILES',
    ...entry('config.conf', 'Configuration file in the working directory. Read if -c does not name another file.'),
    ...entry('output-directory', 'Data folder in the working directory. Used if -d does not name another folder.'),
    '',
  ].join('\n');
}

function commandSection(command: CommandRow): readonly string[] {
  const { name, summary, usage, words, examples, notes = [] } = command;
  return [
    `.SS ${quoted(name)}`,
    escaped(`${summary}.`),
    '.PP',
    ...verbatim(usage.map((form) => `tronicle ${form}`)),
    ...words.flatMap((word) => entry(word.name, `${wordDoc(word)}.`)),
    ...shownOptionsOf(command).flatMap((row) => entry(optionText(row), `${optionDoc(row)}.`)),
    ...notes.flatMap((note) => ['.PP', escaped(note)]),
    '.PP',
    `${examples.length === 1 ? 'Example' : 'Examples'}:`,
    ...verbatim(examples),
  ];
}

function entry(name: string, doc: string): readonly string[] {
  return ['.TP', `\\fB${escaped(name)}\\fR`, escaped(doc)];
}

/** Returns lines that `man` prints without joining them. */
function verbatim(lines: readonly string[]): readonly string[] {
  return ['.RS 4', '.nf', ...lines.map(escaped), '.fi', '.RE'];
}

/**
 * Escapes a text for `man`: backslashes, dashes (which would become hyphens), characters outside of ASCII, and the
 * start of a line.
 */
function escaped(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\0-\x7f]/gu, (char) => `\\[u${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`);
  return plain.replace(/^[.']/, '\\&$&');
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`;
}
