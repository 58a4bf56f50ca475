/**
 * Adds a later part of a singular message to what was read of it before: lists grow, messages merge, and of the rest only what
 * differs from its default is taken over. A default that is written out again changes nothing then, although it would within one
 * part. Reference: mergeFrom of the Java library's generated classes, which decides about ids.
 * @param merged told of each message that became part of another
 */
export function mergeMessage(type, into, part, merged) {
    const target = into;
    const source = part;
    for (const { prop, kind, repeated, key, message } of type.$fields) {
        const value = source[prop];
        if (key !== undefined) {
            for (const [name, item] of value)
                target[prop].set(name, item);
        }
        else if (repeated) {
            for (const item of value)
                target[prop].push(item);
        }
        else if (kind === 'message') {
            if (value === undefined)
                continue;
            if (target[prop] === undefined)
                target[prop] = value;
            else
                mergeMessage(message(), target[prop], value, merged);
        }
        else if (!isDefault(value))
            target[prop] = value;
    }
    merged(into, part);
}
function isDefault(value) {
    if (value instanceof Uint8Array)
        return value.length === 0;
    return value === 0 || value === 0n || value === '' || value === false;
}
//# sourceMappingURL=merge-message.js.map