/** Deletes the oldest entry of a map or set, which keep insertion order. Does nothing if it is empty. */
export function dropOldest<Key>(entries: { keys(): Iterator<Key>; delete(key: Key): boolean }): void {
  const { done, value } = entries.keys().next();
  if (done !== true) entries.delete(value);
}
