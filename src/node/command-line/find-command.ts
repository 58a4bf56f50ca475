import { ArgumentError } from '../../primitives/errors.js';
import { intendedWord } from '../../primitives/nearest-word.js';
import { commandRows, type NamedCommand } from './command-rows.js';

/** Older names of commands that still work. Recorded test runs use `drive`. */
const ALIASES: Readonly<Record<string, string>> = { drive: 'test-driver' };

/** Returns the command with a name or alias; undefined if none exists. */
export function findCommand(name: string): NamedCommand | undefined {
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return commandRows.find((row) => row.name === known);
}

/**
 * Rejects a first argument that is not a command, a flag or the address of a seed node. The error suggests the
 * command with the most similar name.
 * @throws {ArgumentError} the argument is rejected
 */
export function refuseMistypedCommand(word: string): void {
  if (word === '' || word.startsWith('-') || /[.:[]/.test(word)) return;
  const intended = intendedWord(
    word,
    commandRows.map(({ name }) => name),
  );
  const hint = intended === undefined ? '' : `did you mean '${intended}'? `;
  throw new ArgumentError(`unknown command '${word}': ${hint}run 'tronicle --help' for the list`);
}
