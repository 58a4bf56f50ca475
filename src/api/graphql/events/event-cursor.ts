import { graphqlError } from '../graphql-errors.js';

/** Which stream a place belongs to; `any` is the end of a log entry and fits both. */
type StreamKind = 'applied' | 'solidified' | 'any';

/** Place in the log behind which a subscription goes on. */
export interface EventPosition {
  readonly kind: StreamKind;
  readonly seq: number;
  /** Height of the block in a `solidified` entry, which stands for all blocks since the one before. */
  readonly number: number;
  /** Events of this block that were sent. */
  readonly count: number;
}

const KINDS: Readonly<Record<string, StreamKind>> = { a: 'applied', s: 'solidified', n: 'any' };

export function encodeEventCursor({ kind, seq, number, count }: EventPosition): string {
  const letter = kind === 'any' ? 'n' : kind[0];
  return Buffer.from(`${letter}:${seq}:${number}:${count}`).toString('base64url');
}

/** @throws {GraphQLError} BAD_CURSOR, one of the other finality included */
export function decodeEventCursor(cursor: string, kind: StreamKind): EventPosition {
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
