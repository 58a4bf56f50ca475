import { ArgumentError } from '../../primitives/errors.js';
import { intendedWord } from '../../primitives/nearest-word.js';
import { commandRows, type NamedCommand } from './command-rows.js';

/** Former names that still work: recorded test runs use `drive`. */
const ALIASES: Readonly<Record<string, string>> = { drive: 'test-driver' };

/** Returns the command of a name, or undefined. */
export function findCommand(name: string): NamedCommand | undefined {
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return commandRows.find((row) => row.name === known);
}

/**
 * Refuses a first argument that is neither a command nor a flag nor an address of a seed node.
 * @throws {ArgumentError} names the command that is spelt most like it
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
