import type { JsonObject } from '../../encoding/json/json-value.js';
import { present } from '../../primitives/assert.js';
import type { OneChain } from './one-chain.js';
import { badParameter } from './v1-error.js';

/** Cost of reading an index row, which takes some microseconds. The unit is the cost of reading one block. */
export const CANDIDATE_WORK = 0.02;

/** Position of an item in the chain: the height, then indexes inside the block. */
export type PagePosition = readonly [number: number, ...indexes: number[]];

/** A position in a list, and the item at this position. If a filter rejects the item, `item` is undefined. */
export interface Candidate {
  readonly position: PagePosition;
  /** Renders the item. Called only if the page has space for the item. */
  readonly item: (() => JsonObject) | undefined;
  /** True if the page has reached a limit and cannot include this item. The page then ends before the item. */
  readonly endsPage?: boolean;
}

interface PageOptions {
  readonly list: string;
  /** Candidates in list order. They are read only when the page needs them. */
  readonly candidates: Iterable<Candidate>;
  readonly limit: number;
  /** Maximum number of candidates to read. Default: `limit`. */
  readonly candidatesMax?: number;
  /** Cost of a candidate without an item. The unit is the cost of reading one block. */
  readonly candidateWork: number;
}

/** A page of `/v1` with its items. */
export interface V1Page {
  readonly items: readonly JsonObject[];
  /** Cursor for the next page; undefined on the last page. */
  readonly fingerprint: string | undefined;
}

/**
 * Returns a page of a list. Reads at most `candidatesMax` candidates, because matches may be rare. A page that
 * reaches this number ends early and may be empty. The fingerprint of that page leads to the next page.
 * @throws {V1Error} a reorg happened while the page was read
 */
export async function takePage(
  { list, candidates, limit, candidatesMax = limit, candidateWork }: PageOptions,
  chain: OneChain,
): Promise<V1Page> {
  const items: JsonObject[] = [];
  let last: PagePosition | undefined;
  let checked = 0;
  for (const { position, item, endsPage = false } of candidates) {
    if ((item !== undefined && items.length === limit) || checked === candidatesMax || endsPage) {
      return {
        items,
        fingerprint: encodeFingerprint(list, present(last, 'a page ends only after its first candidate').join(':')),
      };
    }
    checked++;
    last = position;
    if (item !== undefined) items.push(item());
    await chain.take(item === undefined ? candidateWork : 1);
  }
  return { items, fingerprint: undefined };
}

/**
 * Returns the first `count` items of a lazy list. Reads them in one turn of the event loop, because a database iterator
 * must not stay open across turns.
 */
export function firstOf<T>(all: Iterable<T>, count: number): T[] {
  const found: T[] = [];
  if (count <= 0) return found;
  for (const one of all) if (found.push(one) === count) break;
  return found;
}

/**
 * Yields the candidates after the position of a fingerprint, in list order. Yields all candidates if `after` is
 * undefined.
 */
export function* isAfter(
  after: PagePosition | undefined,
  isAscending: boolean,
  all: Iterable<Candidate>,
): Iterable<Candidate> {
  for (const candidate of all) {
    const order = after === undefined ? 1 : comparePositions(candidate.position, after);
    if (isAscending ? order > 0 : after === undefined || order < 0) yield candidate;
  }
}

/** Compares two positions in chain order. */
export function comparePositions(a: PagePosition, b: PagePosition): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? -1) - (b[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Returns the fingerprint (cursor) of a page.
 * @param list name of the list; a fingerprint is valid only for its own list
 * @param last text that identifies the last item of the page
 */
export function encodeFingerprint(list: string, last: string): string {
  return Buffer.from(`${list}:${last}`).toString('base64url');
}

/**
 * Decodes a fingerprint of a list whose items are identified by text. Returns undefined without a fingerprint.
 * @param read decodes the text; returns undefined if the text is malformed
 * @throws {V1Error} the fingerprint is invalid or belongs to another list
 */
export function decodeTextFingerprint<T>(
  list: string,
  fingerprint: string | undefined,
  read: (text: string) => T | undefined,
): T | undefined {
  if (fingerprint === undefined) return undefined;
  const text = Buffer.from(fingerprint, 'base64url').toString();
  const value = text.startsWith(`${list}:`) ? read(text.slice(list.length + 1)) : undefined;
  if (value === undefined) throw badParameter('fingerprint', 'is not from a page of this list');
  return value;
}

/**
 * Decodes a fingerprint; undefined if there is no text.
 * @throws {V1Error} the fingerprint is invalid or belongs to another list
 */
export function decodeFingerprint(list: string, text: string | undefined): PagePosition | undefined {
  return decodeTextFingerprint(list, text, readPosition);
}

function readPosition(text: string): PagePosition | undefined {
  const numbers = text.split(':').map(Number);
  const [number, ...inside] = numbers;
  const isGood = numbers.length < 5 && numbers.every(isPosition);
  return isGood && number !== undefined ? [number, ...inside] : undefined;
}

function isPosition(number: number, at: number): boolean {
  return Number.isSafeInteger(number) && number >= 0 && (at === 0 || number < 2 ** 32);
}
