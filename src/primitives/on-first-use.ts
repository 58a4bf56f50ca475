/**
 * Returns a function that creates a value on first use and caches it. Values that a node may never need then take no
 * time or memory at its start.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
