import { JavaHashMap, javaHashOfHex } from '../../vm/java-hash-map.js';
/**
 * All rows of a table in the order in which the reference lists them: what the unsolidified blocks have written comes
 * first, in the
 * order of a hash map over the keys, then the rest by key. Reference: SnapshotImpl.iterator.
 */
export function listRows(view, table) {
    const rows = new Map(table.range());
    const recent = new JavaHashMap(javaHashOfHex);
    for (const key of view.recentKeys(table)) {
        const value = rows.get(key);
        if (value !== undefined)
            recent.set(key, value);
    }
    for (const [key] of recent.entries())
        rows.delete(key);
    return [...recent.entries(), ...rows];
}
/** As `listRows`, the values alone. */
export function listValues(view, table) {
    return listRows(view, table).map(([, value]) => value);
}
//# sourceMappingURL=listing.js.map