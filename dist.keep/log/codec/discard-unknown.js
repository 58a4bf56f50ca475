/** Drops fields that the schema does not know, at every depth. */
export function discardUnknown(message, type) {
    const fields = message;
    fields['$unknown'] = undefined;
    for (const { prop, kind, message: inner } of type.$fields) {
        if (kind !== 'message' || inner === undefined)
            continue;
        const value = fields[prop];
        for (const item of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
            discardUnknown(item, inner());
        }
    }
}
//# sourceMappingURL=discard-unknown.js.map