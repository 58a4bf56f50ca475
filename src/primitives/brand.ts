declare const brand: unique symbol;

/** A value that only its constructor function may make, so that a swapped argument does not compile. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
