import type { JsonLibrary } from './json-library.js';
import { JsonObject, type JsonValue, printJson } from './json-value.js';

/** A JSON object whose members are printed as they stand. */
export interface PlainObject {
  readonly [name: string]: JsonValue | PlainObject | readonly PlainObject[];
}

/**
 * JSON of a bean, with tabs when `indent` is named: members in alphabetical order by fastjson, as they are declared by Jackson.
 * Reference: JSON.toJSONString.
 */
export function printPlain(
  value: PlainObject | JsonValue | readonly PlainObject[],
  library: JsonLibrary,
  indent?: string,
): string {
  const inner = indent === undefined ? undefined : `${indent}\t`;
  const join = (open: string, items: readonly string[], close: string): string => {
    if (items.length === 0 || inner === undefined) return open + items.join(',') + close;
    return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
  };
  if (Array.isArray(value))
    return join(
      '[',
      value.map((item) => printPlain(item, library, inner)),
      ']',
    );
  if (!isPlain(value)) return printJson(value as JsonValue, library);
  const entries = Object.entries(value);
  if (library === 'fastjson') entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([name, member]) => `"${name}":${printPlain(member, library, inner)}`);
  return join('{', members, '}');
}

function isPlain(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !(value instanceof JsonObject) && value.constructor === Object;
}
