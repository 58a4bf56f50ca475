import { toHex, toUtf8 } from '../../log/domain/bytes.js';
import { textOfAddress } from '../java/address-text.js';
import { enumNames } from './enum-names.js';
import { int64Text, int64Value } from './int64-form.js';
import { JsonObject, printDouble } from './json-value.js';
import { fieldsOf, isPrinted, isPrintedWhole, typeOf } from './message-fields.js';
import { parseJsonObject } from './parse-json.js';
import { visibleForm } from './visible-fields.js';
/**
 * JSON text of a message, fields in the order of their numbers, defaults left out. Reference: JsonFormat.printToString.
 * @param visible addresses as Base58Check and listed names as text, instead of hex
 */
export function printMessage(message, visible) {
    const type = typeOf(message);
    const isWhole = isPrintedWhole(type);
    let text = '';
    for (const { field, label, print } of printersOf(type)) {
        const value = message[field.prop];
        if (!isPrinted(field, value, isWhole))
            continue;
        text += text === '' ? label : `,${label}`;
        text += print(value, visible);
    }
    return `{${text}}`;
}
const printers = new Map();
/** How the fields of a type are printed, worked out once. */
function printersOf(type) {
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
function fieldPrinter({ key, repeated }, print) {
    if (key !== undefined)
        return (value, visible) => printMap(value, print, visible);
    if (repeated !== true)
        return print;
    return (value, visible) => `[${value.map((item) => print(item, visible)).join(',')}]`;
}
function printMap(map, print, visible) {
    let text = '';
    for (const [key, value] of map) {
        const name = typeof key === 'string' ? `"${escapeText(key)}"` : String(key);
        text += `${text === '' ? '' : ','}{"key": ${name},"value": ${print(value, visible)}}`;
    }
    return `[${text}]`;
}
function valuePrinter(owner, field) {
    switch (field.kind) {
        case 'message':
            return (value, visible) => printMessage(value, visible);
        case 'bytes':
            return (value, visible) => `"${bytesText(owner, field, value, visible)}"`;
        case 'string':
            return (value) => `"${escapeText(value)}"`;
        case 'enum':
            return (value) => `"${enumText(field, value)}"`;
        case 'double':
            return (value) => printDouble(value);
        case 'int64':
            return (value) => int64Text(value);
        default:
            return String;
    }
}
/**
 * The same as a JSON object that can be changed, and that prints in hash order: what re-reading the text would give.
 */
export function messageToJson(message, visible, skipped) {
    const type = typeOf(message);
    const isWhole = isPrintedWhole(type);
    const object = new JsonObject();
    for (const field of fieldsOf(type)) {
        const value = message[field.prop];
        if (!isPrinted(field, value, isWhole))
            continue;
        object.set(field.name, field.name === skipped ? null : fieldToJson(type.$name, field, value, visible));
    }
    return object;
}
function fieldToJson(owner, field, value, visible) {
    if (field.key !== undefined) {
        return [...value].map(([key, item]) => {
            const entry = new JsonObject();
            entry.set('key', key);
            entry.set('value', valueToJson(owner, field, item, visible));
            return entry;
        });
    }
    if (field.repeated !== true)
        return valueToJson(owner, field, value, visible);
    return value.map((item) => valueToJson(owner, field, item, visible));
}
function valueToJson(owner, field, value, visible) {
    switch (field.kind) {
        case 'message':
            return messageToJson(value, visible);
        case 'bytes': {
            const text = bytesText(owner, field, value, visible);
            return text.includes('\\')
                ? parseJsonObject(`{"key":"${text}"}`, 'fastjson').member('key')
                : text;
        }
        case 'enum':
            return enumText(field, value);
        case 'int32':
            return BigInt(value);
        default:
            return field.kind === 'int64' ? int64Value(BigInt(value)) : value;
    }
}
/** What stands between the quotes. Reference: JsonFormat.escapeBytesSelfType. */
function bytesText(owner, { name }, bytes, visible) {
    const form = visible ? visibleForm(owner, name) : undefined;
    if (form === 'address')
        return textOfAddress(bytes);
    if (form === 'text')
        return escapedName(bytes) ?? toHex(bytes);
    return toHex(bytes);
}
/** Only quotes are escaped; undefined for what would not be valid JSON then. */
function escapedName(bytes) {
    const text = toUtf8(bytes);
    const escaped = text.replaceAll('"', '\\"');
    if (!text.includes('\\'))
        return escaped;
    try {
        parseJsonObject(`{"key":"${escaped}"}`, 'fastjson');
        return escaped;
    }
    catch {
        return undefined;
    }
}
/** Name of an enumeration's value. */
export function enumText({ values }, value) {
    const names = enumNames(values);
    return names.byNumber.get(value) ?? `UNKNOWN_ENUM_VALUE_${names.shortName}_${value}`;
}
const SHORT = {
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
/** Texts that need no escape, as nearly all do. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Reference: JsonFormat.escapeText: surrogate pairs as escapes. */
function escapeText(text) {
    if (PLAIN.test(text))
        return text;
    return text.replace(ESCAPED, (found) => {
        const short = SHORT[found];
        if (short !== undefined)
            return short;
        return [...Array(found.length).keys()].map((at) => `\\u${hex4(found.charCodeAt(at))}`).join('');
    });
}
function hex4(code) {
    return code.toString(16).padStart(4, '0');
}
//# sourceMappingURL=print-message.js.map