/** Key of the claims of a sink: another than the cursor's, so that a compacted topic keeps both. */
export function claimKey(sink) {
    return `${sink}#claim`;
}
/** Undefined for bytes that no sink wrote. */
export function decodeCursor(value) {
    try {
        const cursor = JSON.parse(value?.toString() ?? '');
        return cursor.version === 1 && typeof cursor.owner === 'string' && typeof cursor.topics === 'object'
            ? cursor
            : undefined;
    }
    catch {
        return undefined;
    }
}
/** Owner and id in a cursor or claim; empty for bytes that no sink wrote. */
export function decodeClaim(value) {
    try {
        return JSON.parse(value?.toString() ?? '');
    }
    catch {
        return {};
    }
}
//# sourceMappingURL=cursor.js.map