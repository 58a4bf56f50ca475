/**
 * Something that is made when it is asked for first, and kept: what a node may never need takes neither time nor memory
 * at its start.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
