import * as AbiParameters from 'ox/AbiParameters';
import { BARE_ADDRESS_BYTES } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { equalBytes, fromHex, toHex, toUtf8 } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { type AbiInput, type AbiParameter, type AbiType, isOneWord, parseAbiType } from './abi-type.js';
import type { LogContent } from './decode-event.js';

/**
 * Decoded value as text. Numbers are decimal, bytes are hex, and booleans are `true` or `false`. {@link AddressText}
 * formats addresses. An array is a list. A struct is an object if the ABI names at least one member, otherwise a list.
 */
export type AbiValue = string | readonly AbiValue[] | AbiStruct;

/** Members of a struct by name. If the name is missing or repeated, the key is the position of the member. */
interface AbiStruct {
  readonly [name: string]: AbiValue;
}

/** Formats an address. @param hex 20 bytes */
export type AddressText = (hex: string) => string;

/** A decoded parameter of an event or a call. */
export interface DecodedParameter {
  /** Empty if the ABI declares no name. */
  readonly name: string;
  /** Type as in signatures. A struct is written as the list of its member types. */
  readonly type: string;
  readonly value: AbiValue;
}

/** Fields of an event that the decoder of logs reads. */
interface DeclaredEvent {
  readonly inputs: readonly AbiInput[];
  /** True if logs of the event have no signature topic. */
  readonly anonymous?: boolean;
}

/** Formats an address as Ethereum does, in lower case. */
const plainAddress: AddressText = (hex) => `0x${hex}`;

/**
 * Decodes the parameters of an event in declaration order, including arrays and structs, which java-tron's triggers do
 * not decode. For an indexed parameter longer than one word, the value is the hash in the topic. The package `ox`
 * decodes the data. `ox` limits the time of the decoding, even if offsets in the data point backwards.
 * @returns undefined if the log does not match the event's declaration
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
 * Returns true if a log is encoded exactly as a compiler encodes an anonymous event, without a signature topic. This is
 * the only way to recognize the logs of an anonymous event.
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
 * Decodes ABI-encoded values.
 * @param types types as in signatures
 * @returns undefined if the bytes do not match the types, or if a type is invalid
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

/**
 * Decodes ABI-encoded parameters. Struct members get the names in `components` of their parameter.
 * @returns undefined if the bytes do not match the types, or if a type is invalid
 */
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

/** Returns true if the value is an array, or a struct without named members. */
export function isList(value: AbiValue): value is readonly AbiValue[] {
  return Array.isArray(value);
}

function decodeTopic(input: AbiInput, topic: Uint8Array, addressText: AddressText): AbiValue | undefined {
  const [type] = typesOf([input]) ?? [];
  if (type === undefined) return undefined;
  return isOneWord(type) ? decodeInputs([input], topic, addressText)?.[0] : toHex(topic);
}

/**
 * Parses the types of parameters. Returns undefined if a type is invalid, because an ABI on the chain may contain any
 * text as a type.
 */
function typesOf(inputs: readonly AbiParameter[]): readonly AbiType[] | undefined {
  const types: AbiType[] = [];
  for (const input of inputs) {
    const type = parsedType(input);
    if (type === undefined) return undefined;
    types.push(type);
  }
  return types;
}

/** Cache of parsed types, because an ABI on the chain may have a type with thousands of members. */
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

function readValues(
  types: readonly AbiType[],
  data: Uint8Array,
  packageTypes: PackageTypes = DECODED_TYPES,
): readonly unknown[] | undefined {
  const parameters = types.map((type) => packageParameter(type, packageTypes)) as AbiParameters.Parameter[];
  try {
    return AbiParameters.decode(parameters, data) as readonly unknown[];
  } catch {
    // The failure is caused by the data of the contract, not by an error of this program.
    return undefined;
  }
}

function isEncodingOf(inputs: readonly AbiParameter[], data: Uint8Array): boolean {
  if (inputs.length === 0) return data.length === 0;
  const types = typesOf(inputs);
  const values = types && readValues(types, data, COMPILED_TYPES);
  if (types === undefined || values === undefined) return false;
  const parameters = types.map((type) => packageParameter(type, COMPILED_TYPES)) as AbiParameters.Parameter[];
  return equalBytes(fromHex(AbiParameters.encode(parameters, [...values]).slice(2)), data);
}

/** A parameter in the form that the package `ox` expects. */
interface PackageParameter {
  readonly type: string;
  readonly components?: readonly PackageParameter[];
}

function packageParameter(type: AbiType, packageTypes: PackageTypes): PackageParameter {
  if (type.kind === 'elementary') return { type: packageTypes[type.name] ?? type.name };
  if (type.kind === 'struct') {
    // Omits names, because the package would lose members with the same name.
    return { type: 'tuple', components: type.members.map((member) => packageParameter(member.type, packageTypes)) };
  }
  const element = packageParameter(type.element, packageTypes);
  return { ...element, type: `${element.type}[${type.length ?? ''}]` };
}

/** Types that are passed to the package `ox` (ABI decoder) in place of ABI types, by the name of the ABI type. */
type PackageTypes = Readonly<Record<string, string>>;

/**
 * Types with the same encoding as the ABI types that they replace. They are necessary because `ox` does not support
 * `trcToken`, and removes leading zero bytes of a string.
 */
const COMPILED_TYPES: PackageTypes = { trcToken: 'uint256', function: 'bytes24', string: 'bytes' };

/**
 * Types for decoding. As in the TVM and in java-tron's triggers, an address is the last 20 bytes of its word. `ox`
 * rejects an address if the other 12 bytes of the word are not zero. Many clients write the address prefix 41 there, so
 * `ox` decodes an address as 32 bytes.
 */
const DECODED_TYPES: PackageTypes = { ...COMPILED_TYPES, address: 'bytes32' };

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
  if (type.name === 'address') return addressText(text.slice(-2 * BARE_ADDRESS_BYTES));
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
