import type { SmartContractABIEntry } from '../../codec/generated/messages.js';
import { SmartContractABIEntryEntryType as EntryType } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { JavaHashMap, javaHashOfText } from '../../java-compat/hash-map.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex, toUnsigned, toUtf8, utf8 } from '../../primitives/bytes.js';
import { wordAddressText } from '../address-text.js';
import type { AbiInput } from './abi-type.js';

/** An event of an ABI, with its signature. */
export interface AbiEvent {
  readonly name: string;
  /** Signature with types only: `name(type,type)`. */
  readonly signature: string;
  /** Signature with types and names: `name(type name,type name)`. */
  readonly signatureFull: string;
  readonly inputs: readonly AbiInput[];
  /** True if logs of the event have no signature topic. */
  readonly anonymous?: boolean;
}

/**
 * Values of an event as pairs of key and text. Each value has one entry under its position, and another entry under its
 * name if it has a name. The order is that of java-tron's hash map.
 */
export type EventValues = readonly (readonly [name: string, value: string])[];

export interface LogContent {
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** Entries of an ABI that a contract has on the chain, or that the operator has added. */
export interface AbiEntries {
  readonly entrys: readonly AbiEntry[];
}

/** Fields of an ABI entry that the decoder reads. */
export interface AbiEntry extends Pick<SmartContractABIEntry, 'type' | 'name' | 'anonymous'> {
  readonly inputs: readonly AbiInput[];
}

/**
 * Returns the events of an ABI by signature hash (hex). If several events have the same hash, returns the first of
 * them. Reference: ContractTriggerCapsule.processTrigger.
 */
export function eventsOfAbi(abi: AbiEntries): ReadonlyMap<string, AbiEvent> {
  const events = new Map<string, AbiEvent>();
  for (const event of eventsIn(abi)) {
    if (event.anonymous === true) continue;
    const hash = signatureHash(event);
    if (!events.has(hash)) events.set(hash, event);
  }
  return events;
}

/** Returns the events of an ABI in declaration order, including anonymous events. */
export function eventsIn({ entrys }: AbiEntries): AbiEvent[] {
  return entrys.filter(({ type }) => type === EntryType.Event).map(eventOf);
}

/** Returns the hash (hex) of an event's signature. It is the first topic of the event's logs. */
export function signatureHash({ signature }: AbiEvent): string {
  return toHex(keccak256(utf8(signature)));
}

function eventOf({ name, anonymous, inputs }: AbiEntry): AbiEvent {
  let types = '';
  let full = '';
  for (const input of inputs) {
    // As in java-tron, a comma follows only a text that is not empty, so empty types at the start add no comma.
    const comma = types === '' ? '' : ',';
    types += comma + input.type;
    full += comma + (input.name === '' ? input.type : `${input.type} ${input.name}`);
  }
  const event = { name, signature: `${name}(${types})`, signatureFull: `${name}(${full})`, inputs };
  return anonymous ? { ...event, anonymous } : event;
}

/**
 * Decodes the indexed parameters. If the log does not fit the event, returns the topics after the first one in hex, by
 * position. Reference: ContractEventParserAbi.parseTopics.
 */
export function decodeTopics(event: AbiEvent, { topics }: LogContent, addressPrefix: number): EventValues {
  const values = new Values();
  if (!fits(event, topics)) {
    for (let at = 1; at < topics.length; at++) values.set(String(at - 1), toHex(itemAt(topics, at)));
    return values.entries();
  }
  let next = 1;
  for (const [position, { name, type, indexed }] of event.inputs.entries()) {
    if (!indexed) continue;
    values.put(name, position, decodeTopic(itemAt(topics, next++), type, addressPrefix));
  }
  return values.entries();
}

/**
 * Decodes the parameters that are not indexed. If the log does not fit the event, or if a parameter cannot be decoded,
 * returns all data in hex as one value. Reference: ContractEventParserAbi.parseEventData.
 * @param isStrict true from release 4.8.2 on: truncated data cannot be decoded. Earlier releases pad truncated data
 * with zeros
 */
export function decodeData(
  event: AbiEvent,
  { topics, data }: LogContent,
  addressPrefix: number,
  isStrict: boolean,
): EventValues {
  if (data.length === 0) return [];
  if (!fits(event, topics)) return [[String(topics.length - 1), toHex(data)]];
  if (event.inputs.length === 0) return [['0', toHex(data)]];
  const values = new Values();
  let failedAt = 0;
  let word = 0;
  for (const [position, { name, type, indexed }] of event.inputs.entries()) {
    if (indexed) continue;
    // In java-tron, position 0 also means "no failure yet", so a later failure overwrites a failure at position 0.
    if (failedAt === 0) failedAt = position;
    const text = decodeWord({ data, isStrict }, type, word++, addressPrefix);
    if (text === undefined) return [[String(failedAt), toHex(data)]];
    values.put(name, position, text);
  }
  return values.entries();
}

/** Returns the values of an event in the form that {@link EventValues} describes. */
export function eventValues(
  parameters: readonly { readonly name: string; readonly position: number; readonly text: string }[],
): EventValues {
  const values = new Values();
  for (const { name, position, text } of parameters) values.put(name, position, text);
  return values.entries();
}

/**
 * Map of event values. A later value overwrites an earlier value with the same key. For example, a later parameter with
 * the name `0` overwrites the value at position 0.
 */
class Values {
  private readonly map = new JavaHashMap<string, string>(javaHashOfText);

  put(name: string, position: number, value: string): void {
    if (name !== '') this.set(name, value);
    this.set(String(position), value);
  }

  set(name: string, value: string): void {
    this.map.set(name, value);
  }

  entries(): EventValues {
    return this.map.entries();
  }
}

/** Data of a log. With `isStrict`, truncated data cannot be decoded. */
interface EventData {
  readonly data: Uint8Array;
  readonly isStrict: boolean;
}

type Kind = 'number' | 'bool' | 'address' | 'word' | 'string' | 'bytes' | 'unknown';

/** Returns the kind of a type, such as integer or string. Reference: ContractEventParser.basicType. */
function kindOf(type: string): Kind {
  if (/\[\d*\]$/.test(type)) return 'unknown';
  if (/^(int|uint|trcToken)/.test(type)) return 'number';
  if (type === 'bool' || type === 'address' || type === 'string' || type === 'bytes') return type;
  return /^bytes\d+$/.test(type) ? 'word' : 'unknown';
}

function fits({ inputs }: AbiEvent, topics: readonly Uint8Array[]): boolean {
  return topics.length === 0 || topics.length === 1 + inputs.filter(({ indexed }) => indexed).length;
}

function decodeTopic(topic: Uint8Array, type: string, addressPrefix: number): string {
  if (topic.length === 0 || type === '') return '';
  const kind = kindOf(type);
  if (kind === 'number') return signed(topic).toString();
  if (kind === 'bool') return String(!isZero(topic));
  if (kind === 'address') return wordAddressText(topic, addressPrefix);
  return toHex(topic);
}

/**
 * Returns the text of a value; undefined if java-tron cannot decode it. Reference: ContractEventParser.parseDataBytes.
 */
function decodeWord(log: EventData, type: string, index: number, addressPrefix: number): string | undefined {
  const word = slice(log, index * 32, 32);
  if (word === undefined) return undefined;
  const kind = kindOf(type);
  if (kind === 'number') return signed(word).toString();
  if (kind === 'bool') return String(!isZero(word));
  if (kind === 'word') return toHex(word);
  if (kind === 'address') return wordAddressText(word, addressPrefix);
  if (kind === 'unknown') return undefined;
  const bytes = decodeDynamic(log, word);
  if (bytes === undefined) return undefined;
  return kind === 'string' ? toUtf8(bytes) : toHex(bytes);
}

/**
 * Decodes data that contains one string, such as a revert reason.
 * @param isStrict true if truncated data cannot be decoded; otherwise it is padded with zeros
 * @returns undefined if java-tron cannot decode the data
 */
export function decodeString(data: Uint8Array, isStrict: boolean): string | undefined {
  return decodeWord({ data, isStrict }, 'string', 0, NO_PREFIX);
}

/** Address prefix for types without addresses. */
const NO_PREFIX = 0;

function decodeDynamic(log: EventData, word: Uint8Array): Uint8Array | undefined {
  const start = int32(word);
  const lengthWord = start === undefined ? undefined : slice(log, start, 32);
  const length = lengthWord && int32(lengthWord);
  if (length === undefined || start === undefined || (length < 0 && log.isStrict)) return undefined;
  return length > 0 ? slice(log, start + 32, length) : new Uint8Array(0);
}

/**
 * Returns a part of the data, padded with zeros on the right. Undefined if the start is outside of the data, or if the
 * part exceeds SLICE_BYTES_MAX. With `isStrict`, also undefined if the data ends before the part.
 */
function slice({ data, isStrict }: EventData, start: number, length: number): Uint8Array | undefined {
  if (start >= data.length || start < 0 || length > SLICE_BYTES_MAX) return undefined;
  if (start + length <= data.length) return data.subarray(start, start + length);
  if (isStrict) return undefined;
  const padded = new Uint8Array(length);
  padded.set(data.subarray(start));
  return padded;
}

/**
 * Maximum size of a value, in bytes. A larger value is not decoded, because a log could otherwise make the node
 * allocate gigabytes. java-tron would run out of memory.
 */
const SLICE_BYTES_MAX = 64 * 1024 * 1024;

function signed(word: Uint8Array): bigint {
  return BigInt.asIntN(word.length * 8, toUnsigned(word));
}

function int32(word: Uint8Array): number | undefined {
  const value = signed(word);
  return BigInt.asIntN(32, value) === value ? Number(value) : undefined;
}

function isZero(word: Uint8Array): boolean {
  return word.every((byte) => byte === 0);
}
