/** Java class that error texts show as the actual type of every parameter. */
export const REAL = 'class com.google.protobuf.Any';

/** Returns the error text for a parameter of the wrong message type. @param name name of the expected message */
export type WrongType = (name: string) => string;

// java-tron has a separate text for every contract type. The texts differ only in two spaces.

export const unspaced: WrongType = (name) => `contract type error,expected type [${name}],real type[${REAL}]`;
export const spaced: WrongType = (name) => `contract type error, expected type [${name}],real type[${REAL}]`;
export const spacedTwice: WrongType = (name) => `contract type error, expected type [${name}], real type[${REAL}]`;
