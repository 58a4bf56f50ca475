/**
 * Returns a function that creates a value on first use and caches it. So a value that a node never needs takes no time
 * or memory when the node starts.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
