import type { GraphQLError } from 'graphql';
import { graphqlError } from './graphql-errors.js';

/** Maximum number of items (`nodes`) per page. It limits the response size and the time on the API thread. */
export const GRAPHQL_PAGE_MAX = 100;

/** Arguments of a paged list: page size and cursor. */
export interface PageArguments {
  readonly first: number | null;
  readonly after?: string | null;
}

/** A page of a list, with the field names of the schema. */
export interface GraphqlPage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * Returns the page size `first` if it is valid. @throws {GraphQLError} PAGE_TOO_LARGE: `first` is null, or out of range
 */
export function pageSize(first: number | null): number {
  if (first !== null && first >= 0 && first <= GRAPHQL_PAGE_MAX) return first;
  throw graphqlError('PAGE_TOO_LARGE', `first is ${first}, but must be 0..${GRAPHQL_PAGE_MAX}`);
}

/** Encodes a cursor from the name of the list and the whole numbers that identify a position in it. */
export function encodeListCursor(list: string, ...positions: readonly number[]): string {
  return encodeKeyCursor(list, positions.join(':'));
}

/**
 * Decodes the cursor of a list.
 * @param count number of positions in the cursor, at least 1
 * @throws {GraphQLError} BAD_CURSOR: the cursor is malformed, or belongs to another list
 */
export function decodeListCursor(list: string, count: number, cursor: string): [number, ...number[]] {
  const numbers = decodeKeyCursor(list, cursor).split(':').map(Number);
  const isGood = numbers.length === count && numbers.every((n) => Number.isSafeInteger(n) && n >= 0);
  if (!isGood) throw foreignCursor(list);
  return numbers as [number, ...number[]];
}

/**
 * Returns a page of a sorted list. The cursor is the key of the last item of a page, so no item is repeated or skipped
 * if items are inserted or deleted between two pages.
 * @param keyOf returns the key of an item as text; keys ascend in list order
 */
export function pageByKey<T>(
  list: string,
  nodes: readonly T[],
  keyOf: (node: T) => string,
  { first, after }: PageArguments,
): GraphqlPage<T> {
  const count = pageSize(first);
  const start = after ? indexAfter(nodes, keyOf, decodeKeyCursor(list, after)) : 0;
  const found = nodes.slice(start, start + count);
  const last = found.at(-1);
  return {
    nodes: found,
    pageInfo: {
      hasNextPage: start + found.length < nodes.length,
      endCursor: last === undefined ? null : encodeKeyCursor(list, keyOf(last)),
    },
  };
}

function indexAfter<T>(nodes: readonly T[], keyOf: (node: T) => string, key: string): number {
  const index = nodes.findIndex((node) => keyOf(node) > key);
  return index < 0 ? nodes.length : index;
}

/** Encodes a cursor from the name of the list and the text that identifies an item in it. */
export function encodeKeyCursor(list: string, key: string): string {
  return Buffer.from(`${list}:${key}`).toString('base64url');
}

/**
 * Decodes a cursor of a list.
 * @throws {GraphQLError} BAD_CURSOR: the cursor is malformed, or belongs to another list
 */
export function decodeKeyCursor(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith(`${list}:`)) return text.slice(list.length + 1);
  throw foreignCursor(list);
}

/** Returns the error for a cursor that is malformed or belongs to another list. */
export function foreignCursor(list: string): GraphQLError {
  return graphqlError('BAD_CURSOR', `the cursor does not belong to ${list}`);
}
