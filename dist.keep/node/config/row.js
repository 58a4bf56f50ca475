import { asBoolean, asDouble, asInt32, asInt64, asText, asTexts } from './hocon-value.js';
export function bool(key, fallback, doc) {
    return row(key, 'bool', fallback, doc, asBoolean);
}
/** 32-bit integer. */
export function int(key, fallback, doc, bounds = {}) {
    const read = (value, at) => clamp(asInt32(value, at), bounds);
    const made = row(key, 'int', fallback, doc, read, boundsText(bounds));
    return bounds.shown === undefined ? made : { ...made, fallback: bounds.shown };
}
/** 64-bit integer of which only values below 2^53 differ in effect (ms, bytes, heights); larger ones become 2^53 - 1. */
export function long(key, fallback, doc, bounds = {}) {
    const read = (value, at) => clamp(toSafe(asInt64(value, at)), bounds);
    return row(key, 'int64', fallback, doc, read, boundsText(bounds));
}
/** Value of a dynamic property: exact. `bits` is the width that the reference reads. */
export function property(key, doc, bits, bounds = {}) {
    const read = (value, at) => {
        const exact = bits === 32 ? BigInt(asInt32(value, at)) : asInt64(value, at);
        if (bounds.min !== undefined && exact < BigInt(bounds.min))
            return BigInt(bounds.min);
        return bounds.max !== undefined && exact > BigInt(bounds.max) ? BigInt(bounds.max) : exact;
    };
    return row(key, bits === 32 ? 'int' : 'int64', 0n, doc, read, boundsText(bounds));
}
export function double(key, fallback, doc) {
    return row(key, 'double', fallback, doc, asDouble);
}
export function text(key, fallback, doc) {
    return row(key, 'string', fallback, doc, asText);
}
export function optionalText(key, doc) {
    return row(key, 'string', undefined, doc, asText);
}
export function texts(key, doc) {
    return row(key, 'string[]', [], doc, asTexts);
}
/** A key with a meaning of its own; `read` is called when it is present. @throws what `read` throws. */
export function row(key, type, fallback, doc, read, limits) {
    return {
        key,
        type,
        fallback: show(fallback),
        doc,
        ...(limits === undefined ? {} : { limits }),
        read: (source) => {
            const given = source.value(key);
            return given === undefined ? source.fallback(key, fallback, read) : read(given, key, source);
        },
    };
}
/** A key without a reader of its own. */
export function described(key, type, fallback, doc, limits) {
    return { key, type, fallback, doc, ...(limits === undefined ? {} : { limits }) };
}
/** Reads every row, in the order of the table. */
export function readTree(tree, source) {
    const entries = Object.entries(tree).map(([name, node]) => [
        name,
        isRow(node) ? node.read(source) : readTree(node, source),
    ]);
    return Object.fromEntries(entries); // the type is computed from the same tree
}
/** All keys of a tree, members included. */
export function describedKeys(tree) {
    return Object.values(tree).flatMap((node) => (isRow(node) ? [node, ...(node.also ?? [])] : describedKeys(node)));
}
export function isRow(node) {
    return typeof node['read'] === 'function';
}
/** Beyond 2^53 - 1 the exact number has no further effect on ms, bytes and heights. */
export function toSafe(value) {
    const number = Number(value);
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}
function clamp(value, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }) {
    return Math.max(min, Math.min(max, value));
}
function boundsText({ min, max }) {
    if (min !== undefined && max !== undefined)
        return `clamped to ${min}..${max}`;
    if (min !== undefined)
        return `raised to at least ${min}`;
    return max === undefined ? undefined : `lowered to at most ${max}`;
}
function show(fallback) {
    if (fallback === undefined)
        return 'absent';
    if (fallback === Number.MAX_SAFE_INTEGER)
        return '9223372036854775807';
    if (Array.isArray(fallback))
        return '[]';
    return typeof fallback === 'string' ? JSON.stringify(fallback) : String(fallback);
}
//# sourceMappingURL=row.js.map