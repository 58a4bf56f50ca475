import type { PlainObject } from '../operations/node-info.js';
import { JsonObject, type JsonValue, printJson } from './json-value.js';

/**
 * JSON of an object in the order of its members, with tabs when `indent` is named. Reference: JSON.toJSONString of a
 * bean.
 */
export function printPlain(value: PlainObject | JsonValue | readonly PlainObject[], indent?: string): string {
  const inner = indent === undefined ? undefined : `${indent}\t`;
  const join = (open: string, items: readonly string[], close: string): string => {
    if (items.length === 0 || inner === undefined) return open + items.join(',') + close;
    return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
  };
  if (Array.isArray(value))
    return join(
      '[',
      value.map((item) => printPlain(item, inner)),
      ']',
    );
  if (!isPlain(value)) return printJson(value as JsonValue);
  const members = Object.entries(value).map(([name, item]) => `"${name}":${printPlain(item, inner)}`);
  return join('{', members, '}');
}

function isPlain(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !(value instanceof JsonObject) && value.constructor === Object;
}
