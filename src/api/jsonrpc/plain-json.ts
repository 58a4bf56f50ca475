import { type Json, JsonNumber } from './json-text.js';

/** A JSON value that can be sent to a worker thread. Class instances cannot. */
export type PlainJson =
  | null
  | boolean
  | string
  | { readonly number: string }
  | { readonly list: readonly PlainJson[] }
  | {
      readonly members: readonly (readonly [string, PlainJson])[];
    };

/** Converts a parsed JSON value to a form that can be sent to another thread. */
export function toPlain(value: Json): PlainJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value instanceof JsonNumber) return { number: value.text };
  if (value instanceof Map) {
    return { members: [...(value as ReadonlyMap<string, Json>)].map(([name, member]) => [name, toPlain(member)]) };
  }
  return { list: (value as readonly Json[]).map(toPlain) };
}

/** Restores a JSON value from the form that `toPlain` returns. */
export function fromPlain(value: PlainJson): Json {
  if (value === null || typeof value !== 'object') return value;
  if ('number' in value) return new JsonNumber(value.number);
  if ('list' in value) return value.list.map(fromPlain);
  return new Map(value.members.map(([name, member]) => [name, fromPlain(member)]));
}
