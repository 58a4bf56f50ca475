import { graphqlError } from './graphql-errors.js';
const KINDS = { a: 'applied', s: 'solidified', n: 'any' };
export function encodeEventCursor({ kind, seq, number, count }) {
    const letter = kind === 'any' ? 'n' : kind[0];
    return Buffer.from(`${letter}:${seq}:${number}:${count}`).toString('base64url');
}
/** @throws {GraphQLError} BAD_CURSOR, one of the other finality included */
export function decodeEventCursor(cursor, kind) {
    const [letter = '', ...places] = Buffer.from(cursor, 'base64url').toString().split(':');
    const [seq = -1, number = -1, count = -1] = places.map(Number);
    const found = KINDS[letter];
    const isWhole = [seq, number, count].every((value) => Number.isSafeInteger(value) && value >= 0);
    if (found === undefined || places.length !== 3 || !isWhole) {
        throw graphqlError('BAD_CURSOR', 'the cursor does not come from a subscription of this node');
    }
    if (found !== kind && found !== 'any') {
        throw graphqlError('BAD_CURSOR', `the cursor belongs to a subscription with finality ${found.toUpperCase()}`);
    }
    return { kind: found, seq, number, count };
}
//# sourceMappingURL=event-cursor.js.map