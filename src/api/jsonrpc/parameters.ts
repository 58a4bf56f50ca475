import { javaTrim } from '../../java-compat/text.js';
import { findMisspelling } from '../../primitives/nearest-word.js';
import type { ApiRelease } from '../releases/api-release.js';
import { type Json, JsonNumber } from './json-text.js';
import { ParameterKindError } from './rpc-error.js';

/** Converts a parameter to a Java type as Jackson does. @throws {ParameterKindError} the value cannot be converted */
export type ReadParameter<T> = (value: Json) => T;

export const textParameter: ReadParameter<string | null> = (value) => {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean' || value instanceof JsonNumber) return String(value);
  throw new ParameterKindError();
};

export const flagParameter: ReadParameter<boolean | null> = (value) => {
  if (value === null || typeof value === 'boolean') return value;
  if (value instanceof JsonNumber && value.isInteger) return BigInt(value.text) !== 0n;
  if (typeof value === 'string') return isNullText(value) ? null : flagOfText(javaTrim(value));
  throw new ParameterKindError();
};

/** Returns true for a text that Jackson reads as null if a type other than text is expected. */
function isNullText(text: string): boolean {
  const trimmed = javaTrim(text);
  return trimmed === '' || trimmed === 'null';
}

function flagOfText(word: string): boolean {
  if (/^(true|True|TRUE)$/.test(word)) return true;
  if (/^(false|False|FALSE)$/.test(word)) return false;
  throw new ParameterKindError();
}

/** Returns a reader for integers of the given number of bits. Fractions are truncated. */
function integer(bits: number): ReadParameter<bigint | null> {
  const limit = 1n << BigInt(bits - 1);
  return (value) => {
    if (value === null || (typeof value === 'string' && isNullText(value))) return null;
    const number = wholeNumber(value);
    if (number === undefined || number >= limit || number < -limit) throw new ParameterKindError();
    return number;
  };
}

function wholeNumber(value: Json): bigint | undefined {
  if (typeof value === 'string')
    return /^[\0- ]*[+-]?\d{1,19}[\0- ]*$/.test(value) ? BigInt(javaTrim(value).replace('+', '')) : undefined;
  if (!(value instanceof JsonNumber)) return undefined;
  if (value.isInteger) return BigInt(value.text);
  const number = Math.trunc(Number(value.text));
  return Number.isFinite(number) ? BigInt(number) : undefined;
}

const int32 = integer(32);
export const int64Parameter = integer(64);
export const anyParameter: ReadParameter<Json> = (value) => value;

/** Reads a list. A single value is read as a list with one item. */
const list: ReadParameter<readonly Json[] | null> = (value) => {
  if (value === null || Array.isArray(value)) return value as readonly Json[] | null;
  return [value];
};

/**
 * Returns a reader for a JSON object with known members and their default values, like a Java bean. Unknown members are
 * rejected.
 * @param ignoresUnknown true to reject only misspelt members, and to ignore all other unknown members
 */
function bean<T extends object>(
  members: { readonly [K in keyof T]: readonly [ReadParameter<T[K]>, T[K]] },
  ignoresUnknown = false,
): ReadParameter<T | null> {
  const readers = new Map(Object.entries(members)) as Map<string, readonly [ReadParameter<unknown>, unknown]>;
  return (value) => {
    if (value === null) return null;
    if (!(value instanceof Map)) throw new ParameterKindError();
    if (ignoresUnknown) checkSpelling(value.keys(), [...readers.keys()]);
    const result: Record<string, unknown> = {};
    for (const [name, [, initial]] of readers) result[name] = initial;
    for (const [name, member] of value as ReadonlyMap<string, Json>) {
      const reader = readers.get(name);
      if (reader !== undefined) result[name] = reader[0](member);
      else if (!ignoresUnknown) throw new ParameterKindError();
    }
    return result as T;
  };
}

/** @throws {ParameterKindError} a name is a misspelt known name */
function checkSpelling(names: Iterable<string>, known: readonly string[]): void {
  const wrong = findMisspelling(names, known);
  if (wrong !== undefined)
    throw new ParameterKindError(`unknown member ${JSON.stringify(wrong.name)}; did you mean ${wrong.intended}?`);
}

/** Arguments of `eth_call` and `eth_estimateGas`. Reference: CallArguments. */
export interface CallArguments {
  readonly from: string | null;
  readonly to: string | null;
  readonly gas: string | null;
  readonly gasPrice: string | null;
  readonly value: string | null;
  readonly data: string | null;
  /** Call data, in release 4.8.2 and later. Takes precedence over `data`. */
  readonly input?: string | null;
  readonly nonce: string | null;
}

const callMembers = {
  from: [textParameter, '0x0000000000000000000000000000000000000000'],
  to: [textParameter, null],
  gas: [textParameter, ''],
  gasPrice: [textParameter, ''],
  value: [textParameter, ''],
  data: [textParameter, null],
  nonce: [textParameter, null],
} as const;

/** Arguments of `buildTransaction`. Reference: BuildArguments. */
export interface BuildArguments {
  readonly from: string | null;
  readonly to: string | null;
  readonly gas: string | null;
  readonly gasPrice: string | null;
  readonly value: string | null;
  readonly data: string | null;
  readonly input?: string | null;
  readonly nonce: string | null;
  readonly tokenId: bigint | null;
  readonly tokenValue: bigint | null;
  readonly abi: string | null;
  readonly consumeUserResourcePercent: bigint | null;
  readonly originEnergyLimit: bigint | null;
  readonly name: string | null;
  readonly permissionId: bigint | null;
  readonly extraData: string | null;
  readonly visible: boolean | null;
}

const buildMembers = {
  from: [textParameter, null],
  to: [textParameter, null],
  gas: [textParameter, '0x0'],
  gasPrice: [textParameter, ''],
  value: [textParameter, null],
  data: [textParameter, null],
  nonce: [textParameter, ''],
  tokenId: [int64Parameter, 0n],
  tokenValue: [int64Parameter, 0n],
  abi: [textParameter, ''],
  consumeUserResourcePercent: [int64Parameter, 0n],
  originEnergyLimit: [int64Parameter, 0n],
  name: [textParameter, ''],
  permissionId: [int32, 0n],
  extraData: [textParameter, ''],
  visible: [flagParameter, false],
} as const;

/** Parameter readers for call arguments. The accepted JSON member names depend on the java-tron release. */
export interface ArgumentReaders {
  readonly callArguments: ReadParameter<CallArguments | null>;
  readonly buildArguments: ReadParameter<BuildArguments | null>;
}

const INPUT = { input: [textParameter, null] } as const;

/** Returns the argument readers of a release. If the release has the member `input`, the readers accept `input` too. */
export function argumentReaders({ readsInput }: Pick<ApiRelease, 'readsInput'>): ArgumentReaders {
  const added = readsInput ? INPUT : undefined;
  return {
    callArguments: bean<CallArguments>({ ...callMembers, ...added }),
    buildArguments: bean<BuildArguments>({ ...buildMembers, ...added }),
  };
}

/** Arguments of a log filter. Reference: FilterRequest. */
export interface FilterRequest {
  readonly fromBlock: string | null;
  readonly toBlock: string | null;
  readonly address: Json;
  readonly topics: readonly Json[] | null;
  readonly blockHash: string | null;
}

const filterMembers = {
  fromBlock: [textParameter, null],
  toBlock: [textParameter, null],
  address: [anyParameter, null],
  topics: [list, null],
  blockHash: [textParameter, null],
} as const;

export const filterRequest = bean<FilterRequest>(filterMembers);
/** Reads a log filter as geth does: ignores unknown members, because some clients send additional members. */
export const ethereumFilter = bean<FilterRequest>(filterMembers, true);
