import { JsonObject, printJson } from './json-value.js';
/**
 * JSON of a bean, with tabs when `indent` is named: members in alphabetical order by fastjson, as they are declared by Jackson.
 * Reference: JSON.toJSONString.
 */
export function printPlain(value, library, indent) {
    const inner = indent === undefined ? undefined : `${indent}\t`;
    const join = (open, items, close) => {
        if (items.length === 0 || inner === undefined)
            return open + items.join(',') + close;
        return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
    };
    if (Array.isArray(value))
        return join('[', value.map((item) => printPlain(item, library, inner)), ']');
    if (!isPlain(value))
        return printJson(value, library);
    const names = library === 'fastjson' ? Object.keys(value).sort() : Object.keys(value);
    const members = names.map((name) => `"${name}":${printPlain(value[name], library, inner)}`);
    return join('{', members, '}');
}
function isPlain(value) {
    return typeof value === 'object' && value !== null && !(value instanceof JsonObject) && value.constructor === Object;
}
//# sourceMappingURL=print-plain.js.map