declare const brand: unique symbol;

/** A value that only its own constructor function can create, so that the compiler detects swapped arguments. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
