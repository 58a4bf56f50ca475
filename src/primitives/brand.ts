declare const brand: unique symbol;

/** A value that only its constructor function can create, so that swapped arguments do not compile. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
