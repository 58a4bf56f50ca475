import type { Flags } from './flags.js';
import { type HoconObject, type HoconValue, type Origin, valueAt } from './hocon/hocon-value.js';

/**
 * Values of command line flags by key: `overrides` take precedence over the file, `fallbacks` are used if the key is
 * absent.
 */
export interface KeyOverrides {
  readonly overrides: ReadonlyMap<string, string>;
  readonly fallbacks: ReadonlyMap<string, string>;
}

/** Input of one start: the file, the command line, and the warnings from reading them. */
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

  /** Returns the value of a key; undefined if absent or null. */
  value(key: string): HoconValue | undefined {
    const text = this.overrides.overrides.get(key);
    return text === undefined ? valueAt(this.root, key) : flagValue(text);
  }

  /** Returns the command line's value for an absent key, or else `fallback`. */
  fallback<T>(key: string, fallback: T, read: (value: HoconValue, key: string, source: ConfigSource) => T): T {
    const text = this.overrides.fallbacks.get(key);
    return text === undefined ? fallback : read(flagValue(text), key, this);
  }

  warn(text: string): void {
    this.warnings.push(text);
  }
}

/** Origin of values from the command line. */
export const COMMAND_LINE: Origin = { file: 'command line', line: 0 };

function flagValue(text: string): HoconValue {
  return { kind: 'string', text, origin: COMMAND_LINE };
}
