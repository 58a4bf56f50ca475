import { type Flags, parseFlags } from '../../config/flags.js';
import { itemAt } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';

/** Names of a command's own options, in addition to java-tron's flags. The value says if the option takes a value. */
type OptionNames = Readonly<Record<string, 'value' | 'switch'>>;

export interface Arguments {
  readonly options: ReadonlyMap<string, string>;
  readonly flags: Flags;
  /** Arguments that are not options. */
  readonly words: readonly string[];
}

/**
 * Separates a command's own options from java-tron's flags.
 * @throws {UsageError} an option without its value, or an unknown option
 */
export function readArguments(args: readonly string[], names: OptionNames): Arguments {
  const options = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = itemAt(args, at);
    const [name, inline] = arg.split(/=(.*)/s, 2) as [string, string?];
    const kind = names[name];
    if (kind === undefined) {
      rest.push(arg);
      continue;
    }
    const value = kind === 'switch' ? 'true' : (inline ?? args[++at]);
    if (value === undefined) throw new UsageError(`option ${name} needs a value`);
    options.set(name, value);
  }
  const { flags } = parseFlags(rest);
  return { options, flags, words: flags.seedNodes };
}

/** @throws {UsageError} the text is not an integer of 0 or more */
export function heightArgument(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`invalid height for ${name}: ${text}; use an integer of 0 or more`);
  return Number(text);
}
