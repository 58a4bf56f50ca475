import type { ViewName } from '../../api-context.js';
import type { RawJson } from '../envelope.js';
import { type Json, JsonNumber } from '../json-text.js';
import type { CallArguments } from '../parameters.js';

/** What is to be traced: a transaction by its id, or a call. */
export type TraceRequest =
  | { readonly id: string | null; readonly config: Json }
  | { readonly args: CallArguments | null; readonly block: Json; readonly config: Json };

/** Another thread that traces. */
export interface Traces {
  /** Rejects with an RpcError or a JavaError. */
  run(view: ViewName, request: TraceRequest): Promise<RawJson>;
}

/** A value as it may cross threads: classes do not. */
export type PlainJson =
  | null
  | boolean
  | string
  | { readonly number: string }
  | { readonly list: readonly PlainJson[] }
  | {
      readonly members: readonly (readonly [string, PlainJson])[];
    };

export function toPlain(value: Json): PlainJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value instanceof JsonNumber) return { number: value.text };
  if (value instanceof Map) {
    return { members: [...(value as ReadonlyMap<string, Json>)].map(([name, member]) => [name, toPlain(member)]) };
  }
  return { list: (value as readonly Json[]).map(toPlain) };
}

export function fromPlain(value: PlainJson): Json {
  if (value === null || typeof value !== 'object') return value;
  if ('number' in value) return new JsonNumber(value.number);
  if ('list' in value) return value.list.map(fromPlain);
  return new Map(value.members.map(([name, member]) => [name, fromPlain(member)]));
}
