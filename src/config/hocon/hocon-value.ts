import { UsageError } from '../../primitives/errors.js';
import { INT64_MAX } from '../../primitives/int64.js';

/** File and line of a value. Error messages contain both as `<file>: <line>`. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** A resolved HOCON value. Numbers keep their spelling, because java-tron reads many of them with `getString`. */
export type HoconValue = HoconScalar | HoconList | HoconObject;
export type HoconScalar =
  | { readonly kind: 'string'; readonly text: string; readonly origin: Origin; readonly unquoted?: true }
  | { readonly kind: 'number' | 'boolean'; readonly text: string; readonly origin: Origin }
  | { readonly kind: 'null'; readonly text: 'null'; readonly origin: Origin };
export interface HoconList {
  readonly kind: 'list';
  readonly items: readonly HoconValue[];
  readonly origin: Origin;
}
export interface HoconObject {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, HoconValue>;
  readonly origin: Origin;
}

/** Returns the value at a dotted path; undefined if it is absent or null. Reference: Config.hasPath. */
export function valueAt(root: HoconObject, path: string): HoconValue | undefined {
  let value: HoconValue | undefined = root;
  for (const name of path.split('.')) {
    if (value?.kind !== 'object') return undefined;
    value = value.fields.get(name);
  }
  return value?.kind === 'null' ? undefined : value;
}

/**
 * Returns the text of a string, number or boolean, as it is written.
 * @throws {UsageError} the value has another type
 */
export function asText(value: HoconValue, key: string): string {
  if (value.kind === 'list' || value.kind === 'object' || value.kind === 'null') throw wrongType(value, key, 'STRING');
  return value.text;
}

/**
 * Returns a boolean: true/yes/on or false/no/off, quoted or not, in lower case only.
 * @throws {UsageError} any other value
 */
export function asBoolean(value: HoconValue, key: string): boolean {
  const text = value.kind === 'string' || value.kind === 'boolean' ? value.text : '';
  if (text === 'true' || text === 'yes' || text === 'on') return true;
  if (text === 'false' || text === 'no' || text === 'off') return false;
  throw wrongType(value, key, 'BOOLEAN');
}

/** Returns a Java double, from a number or a quoted number. @throws {UsageError} the value is no number */
export function asDouble(value: HoconValue, key: string): number {
  const number = value.kind === 'string' || value.kind === 'number' ? toDouble(value.text) : undefined;
  if (number === undefined) throw wrongType(value, key, 'NUMBER');
  return number;
}

/**
 * Returns a Java long. As in Java's cast from double, drops fractions, and replaces a number out of range by the
 * nearest long.
 * @throws {UsageError} the value is no number
 */
export function asInt64(value: HoconValue, key: string): bigint {
  if (value.kind === 'string' || value.kind === 'number') {
    const exact = hoconInt64(value.text);
    if (exact !== undefined) return exact;
  }
  const double = asDouble(value, key);
  if (Number.isNaN(double)) return 0n;
  if (double >= 2 ** 63) return INT64_MAX;
  return double <= -(2 ** 63) ? -INT64_MAX - 1n : BigInt(Math.trunc(double));
}

/** Returns a Java int. @throws {UsageError} the value is no number, or out of range */
export function asInt32(value: HoconValue, key: string): number {
  const long = asInt64(value, key);
  if (BigInt.asIntN(32, long) === long) return Number(long);
  throw typeError(value, key, `out-of-range value ${long}`, '32-bit integer');
}

/**
 * Returns the elements of a list as texts.
 * @throws {UsageError} the value is no list, or an element is a list or an object
 */
export function asTexts(value: HoconValue, key: string): readonly string[] {
  return asList(value, key).map((item) => {
    if (item.kind === 'list' || item.kind === 'object' || item.kind === 'null')
      throw typeError(item, key, `list of ${item.kind.toUpperCase()}`, 'list of STRING');
    return item.text;
  });
}

/** Returns the elements of a list as objects. @throws {UsageError} the value is no list, or an element is no object */
export function asObjects(value: HoconValue, key: string): readonly HoconObject[] {
  return asList(value, key).map((item) => {
    if (item.kind !== 'object') throw typeError(item, key, `list of ${item.kind.toUpperCase()}`, 'list of OBJECT');
    return item;
  });
}

/** Returns the value as an object. @throws {UsageError} the value has another type */
export function asObject(value: HoconValue, key: string): HoconObject {
  if (value.kind !== 'object') throw wrongType(value, key, 'OBJECT');
  return value;
}

/**
 * Returns the text that Java prints for a value. For fractions, this is the text of `Double.toString`, so `1e3` becomes
 * "1000.0".
 * @throws {UsageError} the value is a list, an object or null
 */
export function unwrappedText(value: HoconValue, key: string): string {
  const text = asText(value, key);
  if (value.kind !== 'number') return text;
  const exact = hoconInt64(text);
  if (exact !== undefined) return String(exact);
  const double = Number(text);
  return Number.isInteger(double) && Math.abs(double) < 1e7 ? `${double}.0` : String(double);
}

/**
 * Parses digits with an optional sign, as Java's Long.parseLong does; undefined if the text is malformed or out of
 * range.
 */
export function hoconInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

export function originText(origin: Origin): string {
  return `${origin.file}: ${origin.line}`;
}

/**
 * Returns a list. An object with numeric keys is also read as a list, in the order of its keys. Settings such as
 * `-Dlist.0=a` have this form.
 */
function asList(value: HoconValue, key: string): readonly HoconValue[] {
  if (value.kind === 'list') return value.items;
  if (value.kind === 'object') {
    const numbered = [...value.fields].filter(([name]) => /^\d+$/.test(name));
    if (numbered.length > 0) return numbered.sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
  }
  throw wrongType(value, key, 'LIST');
}

function toDouble(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^[+-]?(NaN|Infinity)$/.test(trimmed)) return Number(trimmed);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?$/.test(trimmed)) return undefined;
  return Number(trimmed.replace(/[fFdD]$/, ''));
}

function wrongType(value: HoconValue, key: string, expected: string): UsageError {
  return typeError(value, key, value.kind.toUpperCase(), expected);
}

/** Creates an error with the text of java-tron's configuration library (ConfigException.WrongType). */
function typeError(value: HoconValue, key: string, actual: string, expected: string): UsageError {
  return new UsageError(`${originText(value.origin)}: ${key} has type ${actual} rather than ${expected}`);
}
