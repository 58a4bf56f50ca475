import type { OptionRow } from '../../config/read-options.js';
import type { CommandRow, WordRow } from './command-row.js';
import { commandRows } from './command-rows.js';
import { shownOptionsOf } from './options-of.js';

/** Width of the help, in characters. */
const WIDTH = 100;
/** Width of the first column. A longer entry gets a line of its own. */
const ENTRY_WIDTH = 32;

/** Returns the text of `tronicle --help`. */
export function helpText(): string {
  const width = Math.max(...commandRows.map(({ name }) => name.length));
  return [
    'Usage: tronicle [command] [options]',
    '',
    ...commandRows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    "Run 'tronicle <command> --help' for the options of a command. Without a command, 'run' is used.",
    'Exit codes: 0 success, 1 failure, 2 wrong usage.',
  ].join('\n');
}

/**
 * Returns the help of a command: forms of the command line, arguments, options with their defaults, examples and notes.
 */
export function helpOf(command: CommandRow): string {
  const { summary, words, examples, notes = [] } = command;
  return [
    summary,
    '',
    usageText(command),
    ...section(
      'Arguments',
      words.map((word) => entry(word.name, wordDoc(word))),
    ),
    ...section(
      'Options',
      shownOptionsOf(command).map((row) => entry(optionText(row), optionDoc(row))),
    ),
    ...section(
      examples.length === 1 ? 'Example' : 'Examples',
      examples.map((example) => `  ${example}`),
    ),
    ...notes.flatMap((note) => ['', ...wrapped(note, WIDTH)]),
  ].join('\n');
}

/** Returns the forms of a command line, one per line. */
export function usageText({ usage }: CommandRow): string {
  return usage.map((form, at) => `${at === 0 ? 'Usage: ' : '       '}tronicle ${form}`).join('\n');
}

/** Returns the names of an option and the name of its value: `-c, --config <file>`. */
export function optionText({ names, value }: OptionRow): string {
  return `${names.join(', ')}${value === undefined ? '' : ` ${value}`}`;
}

/** Returns the description of an option, with its choices and default. */
export function optionDoc({ doc: effect, value, fallback, choices }: OptionRow): string {
  const doc = choices === undefined ? effect : `${effect}: ${choices.join(', ')}`;
  if (fallback?.startsWith('required') === true) return `${doc} (${fallback})`;
  if (fallback !== undefined) return `${doc} (default: ${fallback})`;
  return value === undefined ? `${doc} (default: off)` : `${doc} (default: none)`;
}

/** Returns the description of a positional argument with its valid values. */
export function wordDoc({ doc, choices }: WordRow): string {
  return choices === undefined ? doc : `${doc}: ${choices.join(', ')}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function entry(name: string, doc: string): string {
  const indent = ' '.repeat(ENTRY_WIDTH + 4);
  const lines = wrapped(doc, WIDTH - indent.length);
  const [first = '', ...rest] = lines;
  const head =
    name.length > ENTRY_WIDTH ? [`  ${name}`, `${indent}${first}`] : [`  ${name.padEnd(ENTRY_WIDTH)}  ${first}`];
  return [...head, ...rest.map((line) => `${indent}${line}`)].join('\n');
}

/** Breaks a text at spaces into lines of at most `width` characters. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
