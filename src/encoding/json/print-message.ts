import type { FieldDescriptor, MessageType } from '../../codec/descriptor.js';
import { enumValuesOf } from '../../codec/descriptor.js';
import { JavaError } from '../../java-compat/java-error.js';
import { toHex, toUtf8 } from '../../primitives/bytes.js';
import { addressText } from '../address-text.js';
import { enumNames } from './enum-names.js';
import { int64Text, int64Value } from './int64-form.js';
import type { JsonLibrary } from './json-library.js';
import { JsonObject, type JsonValue, printDouble } from './json-value.js';
import { type AnyMessage, fieldsOf, isPrinted, isPrintedWhole, typeOf } from './message-fields.js';
import { parseJsonObject } from './parse-json.js';
import { visibleForm } from './visible-fields.js';

/**
 * Returns the JSON text of a message. Fields are in the order of their numbers. Default values are omitted, except in
 * some message types (see `isPrinted`). Reference: JsonFormat.printToString.
 * @param visible true to print addresses as Base58Check and some names as text, instead of hex
 * @param library JSON library of the release. It determines which names can be printed as text
 */
export function printMessage(message: object, visible: boolean, library: JsonLibrary): string {
  level = 0;
  return printFields(message, visible ? library : undefined);
}

/**
 * Current indentation level, for texts with line ends. Each enclosing message adds one level. Each list of messages
 * that was already printed also adds one level, because java-tron does not decrease the level at the end of a list.
 * Reference: JsonFormat.printSingleField.
 */
let level = 0;

function printFields(message: object, texts: Texts): string {
  const type = typeOf(message);
  const isWhole = isPrintedWhole(type);
  let text = '';
  for (const { field, label, print } of printersOf(type)) {
    const value = (message as AnyMessage)[field.prop];
    if (!isPrinted(field, value, isWhole)) continue;
    text += text === '' ? label : `,${label}`;
    text += print(value, texts);
  }
  return `{${text}}`;
}

/** Library of the release if addresses and names are printed as text; undefined to print them as hex. */
type Texts = JsonLibrary | undefined;

type Print = (value: unknown, texts: Texts) => string;

interface FieldPrinter {
  readonly field: FieldDescriptor;
  /** Field name with quotes and colon. */
  readonly label: string;
  readonly print: Print;
}

const printers = new Map<MessageType<object>, readonly FieldPrinter[]>();

/** Returns the printers of a type's fields. They are created once per type. */
function printersOf(type: MessageType<object>): readonly FieldPrinter[] {
  let found = printers.get(type);
  if (found === undefined) {
    found = fieldsOf(type).map((field) => ({
      field,
      label: `"${field.name}": `,
      print: fieldPrinter(field, valuePrinter(type.$name, field)),
    }));
    printers.set(type, found);
  }
  return found;
}

function fieldPrinter(field: FieldDescriptor, print: Print): Print {
  const whole = wholePrinter(field, print);
  if (field.key === undefined && field.kind !== 'message') return whole;
  return (value, texts) => {
    level++;
    const text = whole(value, texts);
    if (isSingle(field)) level--;
    return text;
  };
}

function wholePrinter({ key, repeated }: FieldDescriptor, print: Print): Print {
  if (key !== undefined) return (value, texts) => printMap(value as Map<unknown, unknown>, print, texts);
  if (repeated !== true) return print;
  return (value, texts) => `[${(value as readonly unknown[]).map((item) => print(item, texts)).join(',')}]`;
}

function isSingle({ key, repeated }: FieldDescriptor): boolean {
  return key === undefined && repeated !== true;
}

function printMap(map: Map<unknown, unknown>, print: Print, texts: Texts): string {
  let text = '';
  for (const [key, value] of map) {
    const name = typeof key === 'string' ? `"${escapeText(key)}"` : int64Text(key as bigint);
    text += `${text === '' ? '' : ','}{"key": ${name},"value": ${print(value, texts)}}`;
  }
  return `[${text}]`;
}

function valuePrinter(owner: string, field: FieldDescriptor): Print {
  switch (field.kind) {
    case 'message':
      return (value, texts) => printFields(value as object, texts);
    case 'bytes':
      return (value, texts) => `"${bytesText(owner, field, value as Uint8Array, texts)}"`;
    case 'string':
      return (value) => `"${escapeText(value as string)}"`;
    case 'enum':
      return (value) => `"${enumText(field, value as number)}"`;
    case 'double':
      return (value) => printDouble(value as number);
    case 'int64':
      return (value) => int64Text(value as bigint | number);
    default:
      return String;
  }
}

/**
 * Returns a message as a mutable JSON object. java-tron parses its own JSON text again, so fastjson prints the members
 * in hash order.
 * @param skipped field that is set to null
 * @param around number of messages that enclose the message; determines the indentation of texts with line ends
 */
export function messageToJson(
  message: object,
  visible: boolean,
  library: JsonLibrary,
  skipped?: string,
  around = 0,
): JsonObject {
  level = around;
  return fieldsToJson(message, visible ? library : undefined, skipped);
}

function fieldsToJson(message: object, texts: Texts, skipped?: string): JsonObject {
  const type = typeOf(message);
  const isWhole = isPrintedWhole(type);
  const object = new JsonObject();
  for (const field of fieldsOf(type)) {
    const value = (message as AnyMessage)[field.prop];
    if (!isPrinted(field, value, isWhole)) continue;
    object.set(field.name, field.name === skipped ? null : fieldToJson(type.$name, field, value, texts));
  }
  return object;
}

function fieldToJson(owner: string, field: FieldDescriptor, value: unknown, texts: Texts): JsonValue {
  if (field.key === undefined && field.kind !== 'message') return wholeToJson(owner, field, value, texts);
  level++;
  const whole = wholeToJson(owner, field, value, texts);
  if (isSingle(field)) level--;
  return whole;
}

function wholeToJson(owner: string, field: FieldDescriptor, value: unknown, texts: Texts): JsonValue {
  if (field.key !== undefined) {
    return [...(value as Map<string | bigint, unknown>)].map(([key, item]) => {
      const entry = new JsonObject();
      entry.set('key', typeof key === 'string' ? printedPart(key) : int64Value(key));
      entry.set('value', valueToJson(owner, field, item, texts));
      return entry;
    });
  }
  if (field.repeated !== true) return valueToJson(owner, field, value, texts);
  return (value as readonly unknown[]).map((item) => valueToJson(owner, field, item, texts));
}

function valueToJson(owner: string, field: FieldDescriptor, value: unknown, texts: Texts): JsonValue {
  switch (field.kind) {
    case 'message':
      return fieldsToJson(value as object, texts);
    case 'bytes': {
      const text = bytesText(owner, field, value as Uint8Array, texts);
      return texts !== undefined && text.includes('\\')
        ? (parseJsonObject(`{"key":"${text}"}`, texts) as JsonObject).member('key')
        : text;
    }
    case 'enum':
      return enumText(field, value as number);
    case 'int32':
      return BigInt(value as number);
    case 'string':
      return printedPart(value as string);
    default:
      return field.kind === 'int64' ? int64Value(BigInt(value as bigint | number)) : (value as JsonValue);
  }
}

/** Returns the text of a byte field, without the quotes around it. Reference: JsonFormat.escapeBytesSelfType. */
function bytesText(owner: string, { name }: FieldDescriptor, bytes: Uint8Array, texts: Texts): string {
  const form = texts === undefined ? undefined : visibleForm(owner, name);
  if (form === 'address') return addressText(bytes);
  if (form === 'text' && texts !== undefined) return writtenInLines(escapedName(bytes, texts) ?? toHex(bytes));
  return toHex(bytes);
}

/** Escapes only quotes in a name, as java-tron does. Returns undefined if the result is not valid JSON. */
function escapedName(bytes: Uint8Array, library: JsonLibrary): string | undefined {
  const text = toUtf8(bytes);
  const escaped = text.replaceAll('"', '\\"');
  if (!text.includes('\\')) return escaped;
  try {
    parseJsonObject(`{"key":"${escaped}"}`, library);
    return escaped;
  } catch {
    return undefined;
  }
}

/**
 * Reproduces a bug of java-tron: after each line end, the rest of the text is printed again with indentation.
 * Reference: JsonFormat.JsonGenerator.print.
 * @throws {JavaError} OutOfMemoryError: the result is longer than WRITTEN_MAX
 */
function writtenInLines(text: string): string {
  let written = text;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    written += '  '.repeat(level) + text.slice(at + 1);
    if (written.length > WRITTEN_MAX) throw new JavaError('java.lang.OutOfMemoryError', 'Java heap space');
  }
  return written;
}

/**
 * Maximum length in characters of the printed form of a text with many lines. The length grows with the square of the
 * number of lines.
 */
const WRITTEN_MAX = 2 ** 26;

/** Returns the name of an enumeration value. */
function enumText(field: FieldDescriptor, value: number): string {
  const names = enumNames(enumValuesOf(field));
  return names.byNumber.get(value) ?? `UNKNOWN_ENUM_VALUE_${names.shortName}_${value}`;
}

const SHORT: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
  '"': '\\"',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are escaped
const ESCAPED = /["\\\u0000-\u001f]|[\ud800-\udbff][\s\S]?/g;

/** Matches texts that need no escaping. Nearly all texts match. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Escapes a text. A surrogate pair becomes two \u escapes. Reference: JsonFormat.escapeText. */
function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return printedPart(text).replace(ESCAPED, (found) => {
    const short = SHORT[found];
    if (short !== undefined) return short;
    return [...Array(found.length).keys()].map((at) => `\\u${hex4(found.charCodeAt(at))}`).join('');
  });
}

/**
 * Returns the part of a text before its first U+FFFF. java-tron interprets this character as the end of the text.
 * Reference: JsonFormat.escapeText, CharacterIterator.DONE.
 */
function printedPart(text: string): string {
  const end = text.indexOf('\uffff');
  return end < 0 ? text : text.slice(0, end);
}

function hex4(code: number): string {
  return code.toString(16).padStart(4, '0');
}
