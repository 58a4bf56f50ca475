import { UsageError } from '../primitives/errors.js';
import { intendedWord } from '../primitives/nearest-word.js';
import {
  asBoolean,
  asInt64,
  asObject,
  asText,
  asTexts,
  type HoconObject,
  type HoconValue,
  originText,
} from './hocon/hocon-value.js';

/** Reads the members of an object of the configuration. An error names the member and its position in the file. */
export class ConfigMembers {
  private readonly hocon: HoconObject;
  private readonly key: string;

  constructor(object: HoconObject, key: string) {
    this.hocon = object;
    this.key = key;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return value && asText(value, `${this.key}.${name}`);
  }

  required(name: string): string {
    const text = this.text(name);
    if (!text) throw this.error(name, 'is missing');
    return text;
  }

  oneOf<const T extends string>(name: string, words: readonly T[], fallback?: T): T {
    const value = this.text(name) ?? fallback;
    const word = words.find((known) => known === value);
    if (word === undefined) throw this.error(name, `must be one of ${words.join(', ')}`);
    return word;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.value(name);
    return value === undefined ? fallback : asBoolean(value, `${this.key}.${name}`);
  }

  count(name: string, fallback: number): number {
    const number = this.height(name) ?? BigInt(fallback);
    if (number < 1n || number > 10_000n) throw this.error(name, 'must be 1..10000');
    return Number(number);
  }

  port(name: string): number | undefined {
    const port = this.height(name);
    if (port !== undefined && (port < 1n || port > 65_535n)) throw this.error(name, 'must be 1..65535');
    return port === undefined ? undefined : Number(port);
  }

  height(name: string): bigint | undefined {
    const value = this.value(name);
    const height = value && asInt64(value, `${this.key}.${name}`);
    if (height !== undefined && height < 0n) throw this.error(name, 'must not be negative');
    return height;
  }

  /** Returns the items of a list, or of a text with commas. Returns an empty list if the member is absent. */
  list(name: string): readonly string[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (value.kind !== 'string') return asTexts(value, `${this.key}.${name}`);
    return value.text.split(',').flatMap((item) => item.trim() || []);
  }

  map(name: string): ReadonlyMap<string, string> {
    const object = this.object(name);
    const fields = object === undefined ? [] : [...object.hocon.fields];
    return new Map(fields.map(([field, value]) => [field, asText(value, `${this.key}.${name}.${field}`)]));
  }

  object(name: string): ConfigMembers | undefined {
    const value = this.value(name);
    return value && new ConfigMembers(asObject(value, `${this.key}.${name}`), `${this.key}.${name}`);
  }

  /** Rejects unknown members, because they would have no effect. @throws {UsageError} there is an unknown member */
  refuseOthers(names: readonly string[]): void {
    const unknown = [...this.hocon.fields.keys()].find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const intended = intendedWord(unknown, names);
    const hint = intended === undefined ? `use ${names.join(', ')}` : `did you mean ${intended}?`;
    throw this.error(unknown, `is unknown; ${hint}`);
  }

  error(name: string, what: string): UsageError {
    return new UsageError(`${originText(this.hocon.origin)}: Check ${this.key}.${name}, ${what}`);
  }

  private value(name: string): HoconValue | undefined {
    const value = this.hocon.fields.get(name);
    return value?.kind === 'null' ? undefined : value;
  }
}
