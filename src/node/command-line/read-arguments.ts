import { type Flags, flagsOf, unknownOption } from '../../config/flags.js';
import { optionHint, readOptions } from '../../config/read-options.js';
import { present } from '../../primitives/assert.js';
import { ArgumentError } from '../../primitives/errors.js';
import type { CommandRow } from './command-row.js';
import type { CommandName } from './command-rows.js';
import { findCommand } from './find-command.js';
import { usageText } from './help.js';
import { readOptionsOf, shownOptionsOf } from './options-of.js';

export interface Arguments {
  /** Values of the command's own options, by long name. The value of an option without argument is `true`. */
  readonly options: ReadonlyMap<string, string>;
  readonly flags: Flags;
  /** Arguments that are not options. */
  readonly words: readonly string[];
}

/**
 * Parses the arguments of a command.
 * @throws {ArgumentError} an unknown option, an option without its value, or a wrong number of arguments
 */
export function readArguments(args: readonly string[], name: CommandName): Arguments {
  const command: CommandRow = present(findCommand(name), 'every name has a row');
  const unknown = (option: string): ArgumentError =>
    command.flags === 'all'
      ? unknownOption(option)
      : new ArgumentError(`unknown option ${option}${optionHint(option, shownOptionsOf(command))}; ${seeHelp(name)}`);
  const { options: found, words } = readOptions(args, readOptionsOf(command), unknown);
  const options = new Map<string, string>();
  for (const { row, value = 'true' } of found)
    if (!('kind' in row)) options.set(present(row.names.at(-1), 'every option has a name'), value);
  refuseWrongWords(command, words);
  return { options, flags: flagsOf(found, words), words };
}

/** Returns the error for a missing or superfluous argument. */
export function wrongUsage(name: CommandName, problem: string): ArgumentError {
  const command = present(findCommand(name), 'every name has a row');
  return new ArgumentError(`${problem}\n${usageText(command)}\n${seeHelp(name)}`);
}

function refuseWrongWords({ name, words: rows }: CommandRow, words: readonly string[]): void {
  const empty = words.indexOf('');
  if (empty >= 0) throw wrongUsage(name as CommandName, `argument ${empty + 1} of ${name} is empty`);
  const missing = rows.find((row, at) => row.isOptional !== true && words[at] === undefined);
  if (missing !== undefined) throw wrongUsage(name as CommandName, `${name} needs ${missing.name}`);
  const extra = rows.at(-1)?.isRepeated === true ? undefined : words[rows.length];
  if (extra !== undefined) throw wrongUsage(name as CommandName, `unexpected argument '${extra}'`);
}

function seeHelp(name: string): string {
  return `run 'tronicle ${name} --help' for the options`;
}

/** Parses a height; undefined if there is no text. @throws {ArgumentError} not an integer of at least 0 */
export function heightArgument(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new ArgumentError(`invalid height for ${name}: ${text}; use an integer of 0 or more`);
  return Number(text);
}
