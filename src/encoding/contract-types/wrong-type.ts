/** What the Java class of every parameter is called. */
export const REAL = 'class com.google.protobuf.Any';

/** Words in which a contract refuses a parameter of another type. @param name of the message that it expects */
export type WrongType = (name: string) => string;

// Every actuator words this by itself; they differ in two spaces.

export const unspaced: WrongType = (name) => `contract type error,expected type [${name}],real type[${REAL}]`;
export const spaced: WrongType = (name) => `contract type error, expected type [${name}],real type[${REAL}]`;
export const spacedTwice: WrongType = (name) => `contract type error, expected type [${name}], real type[${REAL}]`;
