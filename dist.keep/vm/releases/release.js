/** Parameters by id; a later one takes the place of an earlier one with its id. */
export function byId(...tables) {
    return new Map(tables.flat().map((parameter) => [BigInt(parameter.id), parameter]));
}
//# sourceMappingURL=release.js.map