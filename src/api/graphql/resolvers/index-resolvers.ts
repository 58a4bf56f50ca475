import { INDEX_PLACES } from '../../../projections/indexes/index-definition.js';
import { indexDefinitions } from '../../../projections/indexes/indexes.js';
import { readIndexPage } from '../../indexes/index-pages.js';
import type { GraphqlSource } from '../graphql-source.js';
import { decodeListCursor, encodeListCursor, type PageArguments, pageSize } from '../page.js';
import { indexField } from '../schema/schema-indexes.js';
import type { AccountAt } from './account-at.js';

/** Returns resolvers of the account fields that list indexes. */
export function indexResolvers(source: GraphqlSource) {
  return Object.fromEntries(
    indexDefinitions.map((index) => [
      indexField(index),
      ({ address }: AccountAt, { first, after }: PageArguments) => {
        const before = after ? decodeListCursor(index.name, INDEX_PLACES, after) : undefined;
        const page = readIndexPage(source, index, address, { limit: pageSize(first), before });
        const { items, last, next, upTo } = page;
        const endCursor = last === undefined ? null : encodeListCursor(index.name, ...last);
        const nodes = items.map(({ values, ...position }) => ({ ...position, ...shown(values) }));
        return { nodes, upTo, pageInfo: { hasNextPage: next !== undefined, endCursor } };
      },
    ]),
  );
}

function shown(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );
}
