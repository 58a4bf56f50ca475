import type { IndexDefinition } from '../../../projections/indexes/index-definition.js';
import { indexDefinitions } from '../../../projections/indexes/indexes.js';
import { decodeIndexCursor, encodeIndexCursor, type IndexCursor, readIndexPage } from '../../indexes/index-pages.js';
import type { GraphqlSource } from '../graphql-source.js';
import { decodeKeyCursor, encodeKeyCursor, foreignCursor, type PageArguments, pageSize } from '../page.js';
import { indexField } from '../schema/schema-indexes.js';
import type { AccountAt } from './account-at.js';

/** Returns resolvers of the account fields that list indexes. */
export function indexResolvers(source: GraphqlSource) {
  return Object.fromEntries(
    indexDefinitions.map((index) => [
      indexField(index),
      ({ address, height }: AccountAt, { first, after }: PageArguments) => {
        const limit = pageSize(first);
        const page = readIndexPage(source, index, address, { limit, after: readCursor(index, after), height });
        const { items, last, next, upTo } = page;
        const endCursor = last === undefined ? null : encodeKeyCursor(index.name, encodeIndexCursor(last));
        const nodes = items.map(({ values, ...position }) => ({ ...position, ...shown(values) }));
        return { nodes, upTo, pageInfo: { hasNextPage: next !== undefined, endCursor } };
      },
    ]),
  );
}

/** Decodes the cursor of a list. @throws {GraphQLError} BAD_CURSOR */
function readCursor(index: IndexDefinition, cursor: string | null | undefined): IndexCursor | undefined {
  if (!cursor) return undefined;
  const after = decodeIndexCursor(index, decodeKeyCursor(index.name, cursor));
  if (after === undefined) throw foreignCursor(index.name);
  return after;
}

function shown(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );
}
