const messagesByName = new Map();
export function registerMessage(type) {
    messagesByName.set(type.$name, type);
}
/** The class of a full name such as `protocol.Account`; undefined when the schema has none. */
export function messageOf(fullName) {
    return messagesByName.get(fullName);
}
//# sourceMappingURL=descriptor.js.map