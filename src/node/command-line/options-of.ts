import { type FlagRow, flagRows } from '../../config/flags.js';
import type { OptionRow } from '../../config/read-options.js';
import type { CommandRow } from './command-row.js';

/**
 * Returns the options of a command: the options in its row, and the flags of java-tron. An option in the row replaces
 * a flag of the same name.
 */
export function readOptionsOf({ options }: CommandRow): readonly (OptionRow | FlagRow)[] {
  const own = new Set(options.flatMap(({ names }) => names));
  return [...options, ...flagRows.filter(({ names }) => !names.some((name) => own.has(name)))];
}

/**
 * Returns the options for the help of a command: the options in its row, then the flags of java-tron that affect the
 * command, `--help` last.
 */
export function shownOptionsOf(command: CommandRow): readonly OptionRow[] {
  const { options, flags } = command;
  const others = readOptionsOf(command).slice(options.length);
  if (flags === 'all') return [...options, ...others];
  const isShown = ({ names }: OptionRow): boolean => names.some((name) => name === '--help' || flags.includes(name));
  const shown = others.filter(isShown);
  return [...options, ...shown];
}
