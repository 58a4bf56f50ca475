import { graphqlError } from '../graphql-errors.js';

/**
 * Stream to which a cursor belongs. `any` means that the cursor is at the end of an entry of the block log. Both
 * streams, `applied` and `solidified`, accept such a cursor.
 */
type StreamKind = 'applied' | 'solidified' | 'any';

/** Position in the block log after which a subscription resumes. */
export interface EventPosition {
  readonly kind: StreamKind;
  readonly seq: number;
  /**
   * Height of the block of the last sent event. The sequence number alone does not identify the block, because one
   * `solidified` entry covers all blocks since the previous `solidified` entry.
   */
  readonly number: number;
  /** Number of events of the block that were already sent. */
  readonly count: number;
}

const KINDS: Readonly<Record<string, StreamKind>> = { a: 'applied', s: 'solidified', n: 'any' };

/** Encodes a position in the block log as an opaque cursor. */
export function encodeEventCursor({ kind, seq, number, count }: EventPosition): string {
  const letter = kind === 'any' ? 'n' : kind[0];
  return Buffer.from(`${letter}:${seq}:${number}:${count}`).toString('base64url');
}

/**
 * Decodes a cursor.
 * @throws {GraphQLError} BAD_CURSOR: the cursor is malformed, or belongs to the stream with a different finality
 */
export function decodeEventCursor(cursor: string, kind: StreamKind): EventPosition {
  const [letter = '', ...positions] = Buffer.from(cursor, 'base64url').toString().split(':');
  const [seq = -1, number = -1, count = -1] = positions.map(Number);
  const found = KINDS[letter];
  const isWhole = [seq, number, count].every((value) => Number.isSafeInteger(value) && value >= 0);
  if (found === undefined || positions.length !== 3 || !isWhole) {
    throw graphqlError('BAD_CURSOR', 'invalid cursor; use the cursor of an event that this node sent');
  }
  if (found !== kind && found !== 'any') {
    throw graphqlError(
      'BAD_CURSOR',
      `the cursor is from a subscription with finality ${found.toUpperCase()}; subscribe with this finality`,
    );
  }
  return { kind: found, seq, number, count };
}
