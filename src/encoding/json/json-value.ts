import { JavaDecimal } from '../../java-compat/decimal.js';
import { JavaHashMap, javaHashOfText } from '../../java-compat/hash-map.js';
import type { JsonLibrary } from './json-library.js';

/** A JSON value. An integer is a `bigint`. Another number is a `JavaDecimal`, or a `number` for a Java double. */
export type JsonValue = null | boolean | string | bigint | number | JavaDecimal | JsonObject | JsonValue[];

/**
 * Members of a JSON object, in the order of insertion.
 * Reference: com.alibaba.fastjson.JSONObject, org.tron.json.JSONObject.
 */
export class JsonObject extends Map<string, JsonValue> {
  /** JSON library that parsed the object. It defines how members are converted to other types. */
  readonly library: JsonLibrary;

  constructor(library: JsonLibrary = 'fastjson') {
    super();
    this.library = library;
  }

  /** Returns a member; null if the member is absent or null. */
  member(name: string): JsonValue {
    return this.get(name) ?? null;
  }
}

/** Creates an object from its members, in insertion order. */
export function jsonObject(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object = new JsonObject();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) object.set(name, value);
  return object;
}

/**
 * Returns JSON text without spaces. fastjson prints members in hash order and omits null members. Jackson prints
 * members in insertion order, including null members that were parsed. Reference: JSON.toJSONString.
 */
export function printJson(value: JsonValue, library: JsonLibrary): string {
  if (typeof value === 'string') return printText(value, library);
  if (value === null) return 'null';
  if (typeof value === 'number') return printDouble(value);
  if (typeof value !== 'object' || value instanceof JavaDecimal) return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => printJson(item, library)).join(',')}]`;
  let text = '';
  const hidesNulls = value.library === 'fastjson';
  for (const { name, label } of labelsOf(value, library)) {
    const member = value.get(name) ?? null;
    if (member === null && hidesNulls) continue;
    if (text !== '') text += ',';
    text += label;
    text += printJson(member, library);
  }
  return `{${text}}`;
}

/** Formats a number for the APIs. Reference: Double.toString. */
export function printDouble(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return `${value}.0`;
  const text = String(value);
  if (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e7) return text;
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

/** Name of a member, with its printed form. The printed form includes quotes and colon. */
interface Label {
  readonly name: string;
  readonly label: string;
}

/**
 * Node in a tree of member names. A path from the root to a node is the list of names of an object. Objects with the
 * same names in the same order share the node.
 */
class Shape {
  readonly longer = new Map<string, Shape>();
  labels: readonly Label[] | undefined;
}

/**
 * Cache of the printed member names and of their order, one tree per JSON library. The names of an object are the path
 * from the root to a node. Answers contain only a few different lists of names, and a lookup takes one step per name.
 */
const shapes: Record<JsonLibrary, { root: Shape; size: number }> = {
  fastjson: { root: new Shape(), size: 0 },
  jackson: { root: new Shape(), size: 0 },
};
/**
 * Maximum number of nodes and labels per cache, about 10 MB. A full cache is cleared, because clients can choose any
 * number of names.
 */
const SIZE_MAX = 32_768;
const NAME_CHARS_MAX = 128;

function labelsOf(object: JsonObject, library: JsonLibrary): readonly Label[] {
  if (shapes[library].size > SIZE_MAX) shapes[library] = { root: new Shape(), size: 0 };
  const known = shapes[library];
  let shape = known.root;
  for (const name of object.keys()) {
    let longer = shape.longer.get(name);
    if (longer === undefined) {
      if (name.length > NAME_CHARS_MAX) return labelled([...object.keys()], library);
      longer = new Shape();
      shape.longer.set(name, longer);
      known.size++;
    }
    shape = longer;
  }
  if (shape.labels === undefined) {
    shape.labels = labelled([...object.keys()], library);
    known.size += object.size;
  }
  return shape.labels;
}

function labelled(names: readonly string[], library: JsonLibrary): readonly Label[] {
  return (library === 'fastjson' ? hashOrder(names) : names).map((name) => ({
    name,
    label: `${printText(name, library)}:`,
  }));
}

function hashOrder(names: readonly string[]): readonly string[] {
  const map = new JavaHashMap<string, null>(javaHashOfText);
  for (const name of names) map.set(name, null);
  return map.entries().map(([name]) => name);
}

const SHORT: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Characters that each library escapes. */
const ESCAPED: Readonly<Record<JsonLibrary, RegExp>> = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are escaped
  fastjson: /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are escaped
  jackson: /["\\\u0000-\u001f]/g,
};

function printText(text: string, library: JsonLibrary): string {
  const escaped = ESCAPED[library];
  escaped.lastIndex = 0;
  if (!escaped.test(text)) return `"${text}"`;
  return `"${text.replace(escaped, (char) => SHORT[char] ?? `\\u${hex4(char)}`)}"`;
}

function hex4(char: string): string {
  return char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
