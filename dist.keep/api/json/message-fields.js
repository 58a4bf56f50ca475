export function typeOf(message) {
    return message.constructor;
}
/** Messages of which all fields are printed, defaults included. Reference: JsonFormat.MESSAGES. */
const PRINTED_WHOLE = new Set([
    'protocol.AccountBalanceResponse',
    'protocol.BlockBalanceTrace',
    'protocol.TransactionBalanceTrace',
    'protocol.TransactionBalanceTrace.Operation',
]);
/** Fields of a type in the order of their numbers. */
export function fieldsOf(type) {
    let fields = ordered.get(type);
    if (fields === undefined) {
        fields = [...type.$fields].sort((a, b) => a.id - b.id);
        ordered.set(type, fields);
    }
    return fields;
}
const ordered = new Map();
export function isPrintedWhole(type) {
    return PRINTED_WHOLE.has(type.$name);
}
/** Whether a field is printed: it differs from its default, or its message is printed as a whole. */
export function isPrinted(field, value, isWhole) {
    if (value === undefined || value === null)
        return false;
    if (isWhole)
        return true;
    if (field.key !== undefined)
        return value.size > 0;
    if (field.repeated === true)
        return value.length > 0;
    switch (field.kind) {
        case 'bytes':
            return value.length > 0;
        case 'string':
            return value !== '';
        case 'bool':
            return value === true;
        case 'message':
            return true;
        case 'int64':
            return value !== 0n && value !== 0;
        default:
            return value !== 0;
    }
}
//# sourceMappingURL=message-fields.js.map