import { parseArgs } from 'node:util';
import { itemAt, present } from '../primitives/assert.js';
import { ArgumentError } from '../primitives/errors.js';
import { intendedWord } from '../primitives/nearest-word.js';

/**
 * Description of an option of a command line. Help, shell completion, the man page and the documents are derived from
 * it.
 */
export interface OptionRow {
  /** Names with their dashes: an optional name of one letter, then one long name. */
  readonly names: readonly string[];
  /** Name of the value in the help, such as `<file>`; undefined for an option without value. */
  readonly value?: string;
  /** Effect of the option, as a sentence without a full stop. */
  readonly doc: string;
  /** Effect of a command line without the option. */
  readonly fallback?: string;
  /** All valid values, if they can be listed. */
  readonly choices?: readonly string[];
}

/** One occurrence of an option in a command line. */
interface GivenOption<Row extends OptionRow> {
  readonly row: Row;
  /** The name as written in the command line. */
  readonly name: string;
  /** Value of the option; undefined for an option without value. */
  readonly value: string | undefined;
}

/**
 * Parses a command line in the order of its arguments. As in java-tron, letters cannot be combined: `-debug` is
 * unknown, not `-d` with the value `ebug`.
 * @param unknown creates the error for an unknown option
 * @throws {ArgumentError} an option lacks its value, or an option without value has one
 */
export function readOptions<Row extends OptionRow>(
  argv: readonly string[],
  rows: readonly Row[],
  unknown: (name: string) => ArgumentError,
): { readonly options: readonly GivenOption<Row>[]; readonly words: readonly string[] } {
  const byName = new Map(rows.flatMap((row) => row.names.map((name) => [name, row] as const)));
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(rows.map(parserOption)),
    strict: false,
    tokens: true,
  });
  const options: GivenOption<Row>[] = [];
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName: name } = token;
    const written = itemAt(argv, token.index);
    const row = name.startsWith('--') || written === name ? byName.get(name) : undefined;
    if (row === undefined) throw unknown(name.startsWith('--') ? name : written);
    options.push({ row, name, value: valueGiven(row, name, token.value) });
  }
  return { options, words };
}

/** Returns a hint for a misspelt option, such as `; did you mean '--until'?`; an empty text if no option is similar. */
export function optionHint(name: string, rows: readonly OptionRow[]): string {
  const names = rows.flatMap((row) => row.names).filter((known) => known.startsWith('--'));
  // Dashes are ignored. So `-until` and `--untill` are similar to `--until`, and `-x` is not similar to any option.
  const intended = name.length < SHORTEST_MISSPELT ? undefined : intendedWord(`--${name.replace(/^-+/, '')}`, names);
  return intended === undefined ? '' : `; did you mean '${intended}'?`;
}

/**
 * Minimum length of an option that gets a hint, in characters including the dashes. Shorter names are similar to many
 * options, so a hint would often be wrong.
 */
const SHORTEST_MISSPELT = 5;

/** Returns the option in the form that the argument parser of Node.js needs. */
function parserOption({ names, value }: OptionRow): [string, { type: 'string' | 'boolean'; short?: string }] {
  const long = present(
    names.find((name) => name.startsWith('--')),
    'every option has a long name',
  );
  const short = names.find((name) => !name.startsWith('--'));
  const type = value === undefined ? 'boolean' : 'string';
  return [long.slice(2), { type, ...(short !== undefined && { short: short.slice(1) }) }];
}

/** Names of values that are paths. */
const PATHS: ReadonlySet<string> = new Set(['<file>', '<folder>']);

/** Returns the value of an option. `--switch=true` means `--switch`. */
function valueGiven(row: OptionRow, name: string, value: string | undefined): string | undefined {
  if (row.value !== undefined) {
    if (value === undefined) throw new ArgumentError(`Expected a value after parameter ${name}`);
    // A shell passes an empty text for "$VARIABLE" if the variable is not set.
    if (value === '' && PATHS.has(row.value))
      throw new ArgumentError(`option ${name} needs a path; the value is empty`);
    return value;
  }
  if (value !== undefined && value !== 'true')
    throw new ArgumentError(`option ${name} takes no value; remove "${value}"`);
  return undefined;
}
