/**
 * Deletes the oldest entry of a map or set: the entry that was inserted first. Does nothing if the map or set is empty.
 */
export function dropOldest<Key>(entries: { keys(): Iterator<Key>; delete(key: Key): boolean }): void {
  const { done, value } = entries.keys().next();
  if (done !== true) entries.delete(value);
}
