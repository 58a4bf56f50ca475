/** Lets go of what was put in first: maps and sets keep the order of writing. Nothing happens to an empty one. */
export function dropOldest<Key>(entries: { keys(): Iterator<Key>; delete(key: Key): boolean }): void {
  const { done, value } = entries.keys().next();
  if (done !== true) entries.delete(value);
}
