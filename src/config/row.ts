import { UsageError } from '../primitives/errors.js';
import type { HoconValue } from './hocon/hocon-value.js';
import { asBoolean, asDouble, asInt32, asInt64, asText, asTexts, hoconInt64, originText } from './hocon/hocon-value.js';
import type { ConfigSource } from './source.js';

/**
 * Description of a configuration key, for `config/README.md` and the list of known keys. `fallback` is the value if the
 * key is absent.
 */
export interface Described {
  readonly key: string;
  readonly type: string;
  readonly fallback: string;
  readonly doc: string;
  readonly limits?: string;
  /** True if the operator chooses the names of the members. No name is then unknown. */
  readonly open?: true;
  /** Member names of each element, if the value is a list of objects. */
  readonly members?: readonly string[];
}

/** One configuration key: its description and its reader. */
export interface ConfigKey<T> extends Described {
  readonly read: (source: ConfigSource) => T;
  /** Other keys that `read` uses, such as members of an object or older names. */
  readonly also?: readonly Described[];
}

/** Configuration keys in the structure of the typed configuration. */
export interface RowTree {
  readonly [name: string]: ConfigKey<unknown> | RowTree;
}
export type Values<T> =
  T extends ConfigKey<infer V> ? V : T extends RowTree ? { readonly [K in keyof T]: Values<T[K]> } : never;

/** Bounds of a value. As in java-tron, a value out of bounds is replaced by the nearest bound, with a warning. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** Text for the documentation of a default that depends on the machine. */
  readonly shown?: string;
}

export function bool(key: string, fallback: boolean, doc: string): ConfigKey<boolean> {
  return row(key, 'bool', fallback, doc, asBoolean);
}

/** Creates a key for a 32-bit integer. */
export function int(key: string, fallback: number, doc: string, bounds: Bounds = {}): ConfigKey<number> {
  const read = (value: HoconValue, at: string, source: ConfigSource) =>
    usedNumber(value, at, source, { exact: BigInt(asInt32(value, at)), bounds });
  const configKey = row(key, 'int', fallback, doc, read, boundsText(bounds));
  return bounds.shown === undefined ? configKey : { ...configKey, fallback: bounds.shown };
}

/**
 * Creates a key for a 64-bit integer of ms, bytes or blocks. Values above 2^53 − 1 have the same effect as 2^53 − 1,
 * and are replaced by it.
 */
export function long(key: string, fallback: number, doc: string, bounds: Bounds = {}): ConfigKey<number> {
  const read = (value: HoconValue, at: string, source: ConfigSource) =>
    usedNumber(value, at, source, { exact: asInt64(value, at), bounds });
  return row(key, 'int64', fallback, doc, read, boundsText(bounds));
}

/** Creates a key for a 64-bit integer above 0. As in java-tron, the default replaces any other value. */
export function positive(key: string, fallback: number, doc: string): ConfigKey<number> {
  const read = (value: HoconValue, at: string, source: ConfigSource) => {
    const exact = asInt64(value, at);
    if (exact > 0n) return toSafe(exact);
    warnIfOther(value, at, source, BigInt(fallback));
    return fallback;
  };
  return row(key, 'int64', fallback, doc, read, `<= 0 becomes ${fallback}`);
}

/**
 * Creates a key for the value of a chain property, as an exact integer. `bits` is the width of the integer that
 * java-tron reads.
 */
export function property(key: string, doc: string, bits: 32 | 64, bounds: Bounds = {}): ConfigKey<bigint> {
  const read = (value: HoconValue, at: string, source: ConfigSource) => {
    const exact = bits === 32 ? BigInt(asInt32(value, at)) : asInt64(value, at);
    const isLow = bounds.min !== undefined && exact < BigInt(bounds.min);
    const isHigh = bounds.max !== undefined && exact > BigInt(bounds.max);
    const used = isLow ? BigInt(bounds.min) : isHigh ? BigInt(bounds.max) : exact;
    warnIfOther(value, at, source, used);
    return used;
  };
  return row(key, bits === 32 ? 'int' : 'int64', 0n, doc, read, boundsText(bounds));
}

export function double(key: string, fallback: number, doc: string): ConfigKey<number> {
  return row(key, 'double', fallback, doc, asDouble);
}

export function textKey(key: string, fallback: string, doc: string): ConfigKey<string> {
  return row(key, 'string', fallback, doc, asText);
}

export function optionalText(key: string, doc: string): ConfigKey<string | undefined> {
  return row<string | undefined>(key, 'string', undefined, doc, asText);
}

export function texts(key: string, doc: string): ConfigKey<readonly string[]> {
  return row<readonly string[]>(key, 'string[]', [], doc, asTexts);
}

/** Creates a key with its own reader. The reader is called only if the key is present. @throws the errors of `read` */
export function row<T>(
  key: string,
  type: string,
  fallback: T,
  doc: string,
  read: (value: HoconValue, key: string, source: ConfigSource) => T,
  limits?: string,
): ConfigKey<T> {
  return {
    key,
    type,
    fallback: show(fallback),
    doc,
    ...(limits === undefined ? {} : { limits }),
    read: (source) => {
      const value = source.value(key);
      return value === undefined ? source.fallback(key, fallback, read) : readAt(value, key, source, read);
    },
  };
}

/**
 * Reads a value. Adds the position in the file to an error of a `tronicle` key. Errors of java-tron's keys keep
 * java-tron's text.
 */
function readAt<T>(
  value: HoconValue,
  key: string,
  source: ConfigSource,
  read: (value: HoconValue, key: string, source: ConfigSource) => T,
): T {
  try {
    return read(value, key, source);
  } catch (error) {
    if (!(error instanceof UsageError && key.startsWith('tronicle.') && error.message.startsWith('Check ')))
      throw error;
    throw new UsageError(`${originText(value.origin)}: ${error.message}`, { cause: error });
  }
}

/** Creates the description of a key that the reader of another key uses. */
export function described(key: string, type: string, fallback: string, doc: string, limits?: string): Described {
  return { key, type, fallback, doc, ...(limits === undefined ? {} : { limits }) };
}

/** Reads all keys in the order of the table. */
export function readTree<T extends RowTree>(tree: T, source: ConfigSource): Values<T> {
  const entries = Object.entries(tree).map(([name, node]) => [
    name,
    isRow(node) ? node.read(source) : readTree(node, source),
  ]);
  return Object.fromEntries(entries) as Values<T>; // Safe cast: `Values<T>` is derived from `tree`.
}

/** Returns the descriptions of all keys of a tree, including members of objects. */
export function describedKeys(tree: RowTree): readonly Described[] {
  return Object.values(tree).flatMap((node) => (isRow(node) ? [node, ...(node.also ?? [])] : describedKeys(node)));
}

function isRow(node: ConfigKey<unknown> | RowTree): node is ConfigKey<unknown> {
  return typeof node['read'] === 'function';
}

/** Converts to a number of at most 2^53 − 1. Greater values of ms, bytes and heights have the same effect. */
export function toSafe(value: bigint): number {
  const number = Number(value);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}

/** Returns the number within its bounds, as a safe integer. Warns if it differs from the number in the file. */
function usedNumber(
  value: HoconValue,
  key: string,
  source: ConfigSource,
  { exact, bounds }: { readonly exact: bigint; readonly bounds: Bounds },
): number {
  const safe = toSafe(exact);
  const used = clamp(safe, bounds);
  // The largest safe integer has the effect of any larger number, so it needs no warning.
  warnIfOther(value, key, source, used === safe ? exact : BigInt(used));
  return used;
}

/** Warns if the node uses another number than the number in the file, because of a fraction or of bounds. */
function warnIfOther(value: HoconValue, key: string, source: ConfigSource, used: bigint): void {
  const text = asText(value, key);
  const written = hoconInt64(text);
  if (written === undefined ? Number(text) === Number(used) : written === used) return;
  source.warn(`${originText(value.origin)}: ${key} = ${text} cannot be used, the node uses ${used}`);
}

function clamp(value: number, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bounds): number {
  return Math.max(min, Math.min(max, value));
}

function boundsText({ min, max }: Bounds): string | undefined {
  if (min !== undefined && max !== undefined) return `clamped to ${min}..${max}`;
  if (min !== undefined) return `raised to at least ${min}`;
  return max === undefined ? undefined : `lowered to at most ${max}`;
}

function show(fallback: unknown): string {
  if (fallback === undefined) return 'absent';
  if (fallback === Number.MAX_SAFE_INTEGER) return '9223372036854775807';
  if (Array.isArray(fallback)) return '[]';
  return typeof fallback === 'string' ? JSON.stringify(fallback) : String(fallback);
}
