import type { Flags } from './flags.js';
import { type HoconObject, type HoconValue, type Origin, valueAt } from './hocon/hocon-value.js';

/**
 * Values of command line flags, by configuration key. `overrides` take precedence over the file. `fallbacks` apply if
 * the key is not in the file.
 */
export interface KeyOverrides {
  readonly overrides: ReadonlyMap<string, string>;
  readonly fallbacks: ReadonlyMap<string, string>;
}

/** Sources of a configuration: the file, the command line, and the warnings from reading them. */
export class ConfigSource {
  readonly file: string;
  readonly root: HoconObject;
  readonly flags: Flags;
  readonly warnings: string[] = [];
  private readonly overrides: KeyOverrides;

  constructor(file: string, root: HoconObject, flags: Flags, overrides: KeyOverrides) {
    this.file = file;
    this.root = root;
    this.flags = flags;
    this.overrides = overrides;
  }

  /** Returns the value of a key; undefined if the key is absent or null. */
  value(key: string): HoconValue | undefined {
    const text = this.overrides.overrides.get(key);
    return text === undefined ? valueAt(this.root, key) : flagValue(text);
  }

  /** Returns the value of an absent key: the flag's value if there is one, otherwise `fallback`. */
  fallback<T>(key: string, fallback: T, read: (value: HoconValue, key: string, source: ConfigSource) => T): T {
    const text = this.overrides.fallbacks.get(key);
    return text === undefined ? fallback : read(flagValue(text), key, this);
  }

  warn(text: string): void {
    this.warnings.push(text);
  }
}

/** Position that messages show for values of the command line. */
export const COMMAND_LINE: Origin = { file: 'command line', line: 0 };

function flagValue(text: string): HoconValue {
  return { kind: 'string', text, origin: COMMAND_LINE };
}
