import { TronError } from '../../primitives/errors.js';

/** A parameter, return value or struct member declared in an ABI. */
export interface AbiParameter {
  /** Empty if the ABI declares no name. */
  readonly name: string;
  /**
   * Type as in signatures. A struct is written as the list of its member types, such as `(uint64,address)[]`. With
   * `components`, it may also be written as `tuple[]`.
   */
  readonly type: string;
  /** Members of the struct. For an array, members of the struct that is its element type. */
  readonly components?: readonly AbiParameter[];
}

/** A parameter of a function or an event. */
export interface AbiInput extends AbiParameter {
  readonly indexed: boolean;
}

/** A type of the ABI, parsed. */
export type AbiType =
  | { readonly kind: 'elementary'; readonly name: string }
  | { readonly kind: 'array'; readonly element: AbiType; readonly length: number | undefined }
  | { readonly kind: 'struct'; readonly members: readonly AbiMember[] };

/** Member of a struct. */
interface AbiMember {
  /** Empty if the ABI declares no name. */
  readonly name: string;
  readonly type: AbiType;
}

/** Maximum nesting depth of structs and arrays. Compilers accept fewer levels. */
export const NESTING_MAX = 32;

/** Parses the type of a parameter. @throws {TronError} BAD_ABI: invalid type. The message contains the type */
export function parseAbiType(parameter: AbiParameter, nesting = 0): AbiType {
  const { type, components } = parameter;
  if (nesting > NESTING_MAX) throw refused(type, `is nested more than ${NESTING_MAX} times`);
  const [, elementType, length] = /^(.*)\[(\d*)\]$/s.exec(type) ?? [];
  if (elementType !== undefined && length !== undefined) {
    if (length !== '' && !/^[1-9]\d{0,8}$/.test(length)) throw refused(type, 'has an array length out of range');
    const element = parseAbiType({ ...parameter, type: elementType }, nesting + 1);
    return { kind: 'array', element, length: length === '' ? undefined : Number(length) };
  }
  const members = type === 'tuple' ? (components ?? []) : membersOf(type, components);
  if (members === undefined) return elementary(type);
  if (members.length === 0) throw refused(type, 'is a struct without components');
  return {
    kind: 'struct',
    members: members.map((member) => ({ name: member.name, type: parseAbiType(member, nesting + 1) })),
  };
}

/** Returns the type as signatures contain it. A struct is written as the list of its member types. */
export function typeText(type: AbiType): string {
  if (type.kind === 'elementary') return type.name;
  if (type.kind === 'array') return `${typeText(type.element)}[${type.length ?? ''}]`;
  return `(${type.members.map((member) => typeText(member.type)).join(',')})`;
}

/**
 * Returns true if a topic contains the value itself. For a type longer than one word, the topic contains a hash of the
 * value.
 */
export function isOneWord(type: AbiType): boolean {
  return type.kind === 'elementary' && type.name !== 'string' && type.name !== 'bytes';
}

/**
 * Types without a number in their name. TRON's `trcToken` has the encoding of `uint256`, but keeps its name in
 * signatures.
 */
const PLAIN: ReadonlySet<string> = new Set(['address', 'bool', 'string', 'bytes', 'function', 'trcToken']);

function elementary(type: string): AbiType {
  if (PLAIN.has(type)) return { kind: 'elementary', name: type };
  const [, number, bits, bytes] = /^(?:(u?int)(\d*)|bytes(\d+))$/.exec(type) ?? [];
  if (number !== undefined && isSize(bits || '256', 8, 256)) {
    return { kind: 'elementary', name: `${number}${bits || '256'}` };
  }
  if (bytes !== undefined && isSize(bytes, 1, 32)) return { kind: 'elementary', name: type };
  throw refused(type, 'is not an ABI type');
}

function isSize(digits: string, step: number, max: number): boolean {
  const size = Number(digits);
  return /^[1-9]\d{0,2}$/.test(digits) && size % step === 0 && size <= max;
}

/** Returns the members of a struct type, with names from the components; undefined for other types. */
function membersOf(type: string, components: readonly AbiParameter[] = []): readonly AbiParameter[] | undefined {
  if (!type.startsWith('(') || !type.endsWith(')')) return undefined;
  const types = splitTypes(type);
  return types.map((member, at) => ({ ...components[at], name: components[at]?.name ?? '', type: member }));
}

/** Splits a struct type into its member types: `(a,(b,c)[])` into `a` and `(b,c)[]`. */
function splitTypes(type: string): string[] {
  const types: string[] = [];
  let [depth, start] = [0, 1];
  for (let at = 1; at < type.length; at++) {
    const character = type[at];
    if (character === '(') depth++;
    const isEnd = at === type.length - 1;
    if (depth === 0 && (character === ',' || isEnd)) {
      types.push(type.slice(start, at).trim());
      start = at + 1;
    }
    if (character === ')' && !isEnd) depth--;
    if (depth < 0) throw refused(type, 'has an unmatched closing parenthesis');
  }
  if (depth !== 0) throw refused(type, 'has an unmatched opening parenthesis');
  return types.length === 1 && types[0] === '' ? [] : types;
}

/** Maximum number of characters of a type shown in an error message. */
const SHOWN_MAX = 80;

function refused(type: string, reason: string): TronError {
  return new TronError('BAD_ABI', `type ${JSON.stringify(type.slice(0, SHOWN_MAX))} ${reason}`);
}
