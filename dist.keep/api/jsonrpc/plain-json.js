import { JsonNumber } from './json-text.js';
export function toPlain(value) {
    if (value === null || typeof value === 'boolean' || typeof value === 'string')
        return value;
    if (value instanceof JsonNumber)
        return { number: value.text };
    if (value instanceof Map) {
        return { members: [...value].map(([name, member]) => [name, toPlain(member)]) };
    }
    return { list: value.map(toPlain) };
}
export function fromPlain(value) {
    if (value === null || typeof value !== 'object')
        return value;
    if ('number' in value)
        return new JsonNumber(value.number);
    if ('list' in value)
        return value.list.map(fromPlain);
    return new Map(value.members.map(([name, member]) => [name, fromPlain(member)]));
}
//# sourceMappingURL=plain-json.js.map