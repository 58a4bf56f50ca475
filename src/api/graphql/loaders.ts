import type { Witness } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { toHex } from '../../log/domain/bytes.js';
import { ownerOf } from './chain-resolvers.js';
import type { GraphqlSource } from './graphql-source.js';
import type { ReadBlock, ReadTransaction } from './read-block.js';
import { accountAt, type VoteAt } from './state-resolvers.js';

interface Query<T> {
  readonly obj: T;
}

/**
 * Fields that lists would read once for each node: read together, each row once. Mercurius' own cache is off, as it would print
 * whole blocks to compare them.
 */
export function loaders(source: GraphqlSource) {
  const witnessAt = (address: Uint8Array, height?: number): Witness | null =>
    source.at(height).state.witnesses.get(toAddress(address)) ?? null;
  return {
    Block: {
      witness: together(
        (block: ReadBlock) => toHex(block.header.witnessAddress),
        ({ header }) => witnessAt(header.witnessAddress),
      ),
    },
    Transaction: {
      block: together(
        ({ place }: ReadTransaction) => String(place?.number),
        ({ place }) => (place === undefined ? null : (source.blocks.byNumber(place.number) ?? null)),
      ),
      ownerAccount: together(
        (transaction: ReadTransaction) => toHex(ownerOf(transaction) ?? new Uint8Array(0)),
        (transaction) => {
          const owner = ownerOf(transaction);
          return owner === null ? null : accountAt(source, owner);
        },
      ),
    },
    Vote: {
      witness: together(
        ({ height, voteAddress }: VoteAt) => `${height}:${toHex(voteAddress)}`,
        ({ height, voteAddress }) => witnessAt(voteAddress, height),
      ),
    },
  };
}

function together<T, R>(keyOf: (parent: T) => string, load: (parent: T) => R) {
  return {
    loader: async (queries: readonly Query<T>[]): Promise<R[]> => {
      const known = new Map<string, R>();
      return queries.map(({ obj }) => {
        const key = keyOf(obj);
        if (!known.has(key)) known.set(key, load(obj));
        return known.get(key) as R;
      });
    },
    opts: { cache: false },
  };
}
