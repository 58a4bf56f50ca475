import type { JsonObject } from '../../encoding/json/json-value.js';
import { present } from '../../primitives/assert.js';
import type { OneChain } from './one-chain.js';
import { badParameter } from './v1-error.js';

/** Work of looking at a row of an index, which costs some microseconds, in blocks that are read. */
export const LOOK_WORK = 0.02;

/** Where an item stands in the chain: height, then places inside of the block. */
export type PagePosition = readonly [number: number, ...places: number[]];

/** What a list has at a place: an item, or nothing that the filter lets through. */
export interface Candidate {
  readonly place: PagePosition;
  /** Made when the page has room for it. */
  readonly item: (() => JsonObject) | undefined;
  /** It costs more than this page has left: the page ends before it. */
  readonly endsPage?: boolean;
}

interface PageOptions {
  readonly list: string;
  /** Each is worked out when it is asked for. */
  readonly candidates: Iterable<Candidate>;
  readonly limit: number;
  /** Candidates that may be looked at; absent: as many as the page has items. */
  readonly looks?: number;
  /** Work of looking at a candidate that is no item, in blocks that are read. */
  readonly lookWork: number;
}

export interface V1Page {
  readonly items: readonly JsonObject[];
  /** Behind which the next page begins; undefined: there is none. */
  readonly fingerprint: string | undefined;
}

/**
 * Takes a page off a list. It ends before it is full when it has looked at `looks` candidates: what a filter lets
 * through may be rare, and the next page goes on there, as the fingerprint says.
 * @throws {V1Error} blocks were taken back meanwhile
 */
export async function takePage(
  { list, candidates, limit, looks = limit, lookWork }: PageOptions,
  chain: OneChain,
): Promise<V1Page> {
  const items: JsonObject[] = [];
  let last: PagePosition | undefined;
  let looked = 0;
  for (const { place, item, endsPage = false } of candidates) {
    if ((item !== undefined && items.length === limit) || looked === looks || endsPage) {
      return { items, fingerprint: encodeFingerprint(list, present(last, 'a page that ends has looked at something')) };
    }
    looked++;
    last = place;
    if (item !== undefined) items.push(item());
    await chain.take(item === undefined ? lookWork : 1);
  }
  return { items, fingerprint: undefined };
}

/**
 * The first ones of a list that is read as it is asked for: what is open in a database may not stay so between two
 * slices.
 */
export function firstOf<T>(all: Iterable<T>, count: number): T[] {
  const found: T[] = [];
  if (count <= 0) return found;
  for (const one of all) if (found.push(one) === count) break;
  return found;
}

/** Candidates behind the place of a fingerprint. */
export function* isAfter(
  after: PagePosition | undefined,
  isAscending: boolean,
  all: Iterable<Candidate>,
): Iterable<Candidate> {
  for (const candidate of all) {
    const order = after === undefined ? 1 : comparePositions(candidate.place, after);
    if (isAscending ? order > 0 : after === undefined || order < 0) yield candidate;
  }
}

/** Order in the chain. */
export function comparePositions(a: PagePosition, b: PagePosition): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? -1) - (b[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** @param list name of the list, so that one of another list is refused */
function encodeFingerprint(list: string, place: PagePosition): string {
  return Buffer.from(`${list}:${place.join(':')}`).toString('base64url');
}

/** @throws {V1Error} one that this node did not make for this list */
export function decodeFingerprint(list: string, text: string | undefined): PagePosition | undefined {
  if (text === undefined) return undefined;
  const [name, ...places] = Buffer.from(text, 'base64url').toString().split(':');
  const numbers = places.map(Number);
  const [number, ...inside] = numbers;
  const isGood = name === list && numbers.length < 5 && numbers.every(isPlace);
  if (!isGood || number === undefined) throw badParameter('fingerprint', 'does not come from a page of this list');
  return [number, ...inside];
}

function isPlace(number: number, at: number): boolean {
  return Number.isSafeInteger(number) && number >= 0 && (at === 0 || number < 2 ** 32);
}
