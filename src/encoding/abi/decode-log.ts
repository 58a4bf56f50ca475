import * as AbiParameters from 'ox/AbiParameters';
import { itemAt } from '../../primitives/assert.js';
import { equalBytes, fromHex, toHex, toUtf8 } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { type AbiInput, type AbiParameter, type AbiType, isOneWord, parseAbiType } from './abi-type.js';
import type { LogContent } from './decode-event.js';

/**
 * A value as text: numbers decimal, addresses as the {@link AddressText} writes them, bytes as hex, truth as a word.
 * Arrays are lists. A struct is an object if the ABI names one of its members, else a list.
 */
export type AbiValue = string | readonly AbiValue[] | AbiStruct;

/** Members of a struct by their names; by their positions where the ABI has no name or repeats one. */
interface AbiStruct {
  readonly [name: string]: AbiValue;
}

/** Text of an address. @param hex 20 bytes */
export type AddressText = (hex: string) => string;

/** A decoded parameter of an event or a call. */
export interface DecodedParameter {
  /** Empty where the ABI has none. */
  readonly name: string;
  /** As in signatures: a struct by the types of its members. */
  readonly type: string;
  readonly value: AbiValue;
}

/** What decoding a log needs of its event. */
interface DeclaredEvent {
  readonly inputs: readonly AbiInput[];
  /** Its logs have no topic for the signature. */
  readonly anonymous?: boolean;
}

/** Ethereum's form. */
const plainAddress: AddressText = (hex) => `0x${hex}`;

/**
 * Decodes the parameters of an event in the order of its declaration, arrays and structs included. java-tron's triggers
 * do not decode those. An indexed parameter of more than one word is the hash that the topic holds. The package `ox`
 * reads the encoding: it bounds what offsets that point back into the data may cost.
 * @returns undefined where the log does not hold what the event declares
 */
export function decodeLog(
  { inputs, anonymous = false }: DeclaredEvent,
  { topics, data }: LogContent,
  addressText: AddressText = plainAddress,
): DecodedParameter[] | undefined {
  const plain = inputs.filter(({ indexed }) => !indexed);
  const firstTopic = anonymous ? 0 : 1;
  if (topics.length !== firstTopic + inputs.length - plain.length) return undefined;
  const values = decodeInputs(plain, data, addressText);
  if (values === undefined) return undefined;
  let topic = firstTopic;
  let next = 0;
  const decoded: DecodedParameter[] = [];
  for (const input of inputs) {
    const value = input.indexed ? decodeTopic(input, itemAt(topics, topic++), addressText) : values[next++];
    if (value === undefined) return undefined;
    decoded.push({ name: input.name, type: input.type, value });
  }
  return decoded;
}

/**
 * Whether a log is exactly what a compiler writes for the event. Nothing else distinguishes the logs of an anonymous
 * event from others.
 */
export function isEncodedAs({ inputs }: DeclaredEvent, { topics, data }: LogContent): boolean {
  const indexed = inputs.filter((input) => input.indexed);
  const plain = inputs.filter((input) => !input.indexed);
  return (
    topics.length === indexed.length &&
    isEncodingOf(plain, data) &&
    indexed.every((input, at) => {
      const types = typesOf([input]);
      return types !== undefined && (!isOneWord(itemAt(types, 0)) || isEncodingOf([input], itemAt(topics, at)));
    })
  );
}

/**
 * Decodes values that a contract encoded.
 * @param types as in signatures
 * @returns undefined for bytes that do not hold them, or an invalid type
 */
export function decodeParameters(
  types: readonly string[],
  data: Uint8Array,
  addressText: AddressText = plainAddress,
): readonly AbiValue[] | undefined {
  return decodeInputs(
    types.map((type) => ({ name: '', type })),
    data,
    addressText,
  );
}

/** The same for parameters, whose components name the members of structs. */
export function decodeInputs(
  inputs: readonly AbiParameter[],
  data: Uint8Array,
  addressText: AddressText = plainAddress,
): readonly AbiValue[] | undefined {
  if (inputs.length === 0) return [];
  const types = typesOf(inputs);
  const values = types && readValues(types, data);
  return types && values?.map((value, at) => shownValue(value, itemAt(types, at), addressText));
}

/** Whether a value is an array, or a struct none of whose members has a name. */
export function isList(value: AbiValue): value is readonly AbiValue[] {
  return Array.isArray(value);
}

function decodeTopic(input: AbiInput, topic: Uint8Array, addressText: AddressText): AbiValue | undefined {
  const [type] = typesOf([input]) ?? [];
  if (type === undefined) return undefined;
  return isOneWord(type) ? decodeInputs([input], topic, addressText)?.[0] : toHex(topic);
}

/** Undefined where one of them is invalid: the ABI on the chain may hold any text. */
function typesOf(inputs: readonly AbiParameter[]): readonly AbiType[] | undefined {
  const types: AbiType[] = [];
  for (const input of inputs) {
    const type = parsedType(input);
    if (type === undefined) return undefined;
    types.push(type);
  }
  return types;
}

/** Parsed once: a text of the chain may have thousands of members. */
const parsedTypes = new WeakMap<AbiParameter, { readonly type: AbiType | undefined }>();

function parsedType(input: AbiParameter): AbiType | undefined {
  const known = parsedTypes.get(input);
  if (known !== undefined) return known.type;
  let type: AbiType | undefined;
  try {
    type = parseAbiType(input);
  } catch (error) {
    if (!(error instanceof TronError)) throw error;
  }
  parsedTypes.set(input, { type });
  return type;
}

function readValues(types: readonly AbiType[], data: Uint8Array): readonly unknown[] | undefined {
  try {
    return AbiParameters.decode(types.map(packageParameter) as AbiParameters.Parameter[], data) as readonly unknown[];
  } catch {
    // Whatever is wrong with it, it is a contract's data: no error of this program.
    return undefined;
  }
}

function isEncodingOf(inputs: readonly AbiParameter[], data: Uint8Array): boolean {
  if (inputs.length === 0) return data.length === 0;
  const types = typesOf(inputs);
  const values = types && readValues(types, data);
  if (types === undefined || values === undefined) return false;
  const parameters = types.map(packageParameter) as AbiParameters.Parameter[];
  return equalBytes(fromHex(AbiParameters.encode(parameters, [...values]).slice(2)), data);
}

/** A parameter in the package's form. */
interface PackageParameter {
  readonly type: string;
  readonly components?: readonly PackageParameter[];
}

function packageParameter(type: AbiType): PackageParameter {
  if (type.kind === 'elementary') return { type: PACKAGE_TYPES[type.name] ?? type.name };
  if (type.kind === 'struct') {
    // Without names: by names the package would lose members that have the same one.
    return { type: 'tuple', components: type.members.map((member) => packageParameter(member.type)) };
  }
  const element = packageParameter(type.element);
  return { ...element, type: `${element.type}[${type.length ?? ''}]` };
}

/** Types that the package does not know, or whose values it changes: it removes zero bytes at the start of a text. */
const PACKAGE_TYPES: Readonly<Record<string, string>> = { trcToken: 'uint256', function: 'bytes24', string: 'bytes' };

function shownValue(value: unknown, type: AbiType, addressText: AddressText): AbiValue {
  if (type.kind === 'array') {
    return (value as readonly unknown[]).map((element) => shownValue(element, type.element, addressText));
  }
  if (type.kind === 'struct') {
    const values = type.members.map((member, at) => shownValue((value as unknown[])[at], member.type, addressText));
    return structOf(
      type.members.map(({ name }) => name),
      values,
    );
  }
  const text = String(value);
  if (type.name === 'string') return toUtf8(fromHex(text.slice(2)));
  if (type.name === 'address') return addressText(text.slice(2));
  return text.startsWith('0x') ? text.slice(2) : text;
}

function structOf(names: readonly string[], values: readonly AbiValue[]): AbiValue {
  if (names.every((name) => name === '')) return values;
  return Object.fromEntries(
    values.map((value, at) => {
      const name = itemAt(names, at);
      return [name === '' || names.indexOf(name) < at ? String(at) : name, value];
    }),
  );
}
