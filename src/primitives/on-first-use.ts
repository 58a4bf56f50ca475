/**
 * Returns a function that creates a value on first use and caches it. A value that a node never needs then takes no
 * time or memory at the start.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/**
 * Returns a function that creates a value for each object on first use. The value is cached as long as the object is in
 * use.
 */
export function onFirstUseOf<K extends object, T extends object>(make: (key: K) => T): (key: K) => T {
  const values = new WeakMap<K, T>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    values.set(key, value);
    return value;
  };
}
