import type { OperatorAbis } from '../../encoding/abi/operator-abis.js';
import type { AccountHistory } from '../../projections/indexes/account-history.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { type TokenFacts, tokenFactsOf } from '../abi/token-facts.js';
import type { ApiContext } from '../context/api-context.js';
import type { BlockReader } from '../context/read-block.js';
import { QuerySlices } from '../graphql/query-slices.js';
import type { HttpPool } from '../http/http-pool.js';
import type { IndexPool } from '../indexes/index-pages.js';

/** Data sources of the `/v1` routes. */
export interface V1Source {
  readonly ledger: Ledger;
  readonly api: ApiContext;
  readonly histories: AccountHistory;
  readonly blocks: BlockReader;
  readonly tokens: TokenFacts;
  /** ABIs that the operator has set. They supplement the ABIs on the chain. */
  readonly abis?: OperatorAbis | undefined;
  /**
   * Call pool (worker threads) for pages of indexes that read the state, and for calls that exceed the time budget.
   * If undefined, the API thread runs every call to its end.
   */
  readonly pool: (HttpPool & IndexPool) | undefined;
  /** Limits the cost of all pages together per turn of the event loop. The unit is the cost of reading one block. */
  readonly turns: QuerySlices;
}

/** Number of blocks that all pages together may read per turn of the event loop. This takes about 10 ms. */
const BLOCKS_A_TURN = 16;

/** Creates the data sources of `/v1`. All routes share the cache of token facts and the limit of reads. */
export function createV1Source(
  parts: Pick<V1Source, 'ledger' | 'api' | 'histories' | 'blocks' | 'pool' | 'abis'>,
): V1Source {
  return {
    ...parts,
    tokens: tokenFactsOf(parts.api),
    turns: new QuerySlices(BLOCKS_A_TURN),
  };
}
