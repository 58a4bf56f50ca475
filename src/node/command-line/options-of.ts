import { type FlagRow, flagRows } from '../../config/flags.js';
import type { OptionRow } from '../../config/read-options.js';
import type { CommandRow } from './command-row.js';

/**
 * Returns the options that a command accepts: the options in its row, and the flags of java-tron. An option in the row
 * replaces a flag of the same name. A command on which no flag has an effect accepts only `--help`.
 */
export function readOptionsOf({ options, flags }: CommandRow): readonly (OptionRow | FlagRow)[] {
  const own = new Set(options.flatMap(({ names }) => names));
  const accepted = flags.length === 0 ? flagRows.filter(isHelp) : flagRows;
  return [...options, ...accepted.filter(({ names }) => !names.some((name) => own.has(name)))];
}

/**
 * Returns the options for the help of a command: the options in its row, then the flags of java-tron that affect the
 * command, `--help` last.
 */
export function shownOptionsOf(command: CommandRow): readonly OptionRow[] {
  const { options, flags } = command;
  const others = readOptionsOf(command).slice(options.length);
  if (flags === 'all') return [...options, ...others];
  const shown = others.filter((row) => isHelp(row) || row.names.some((name) => flags.includes(name)));
  return [...options, ...shown];
}

function isHelp({ names }: OptionRow): boolean {
  return names.includes('--help');
}
