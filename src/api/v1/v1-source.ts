import type { OperatorAbis } from '../../encoding/abi/operator-abis.js';
import { TronError } from '../../primitives/errors.js';
import type { AccountHistory } from '../../projections/indexes/account-history.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { type TokenFacts, tokenFactsOf } from '../abi/token-facts.js';
import type { ApiContext } from '../context/api-context.js';
import type { BlockReader, ReadBlock } from '../context/read-block.js';
import { QuerySlices } from '../graphql/query-slices.js';
import type { HttpPool } from '../http/http-pool.js';

/** What `/v1` answers from. */
export interface V1Source {
  readonly ledger: Ledger;
  readonly api: ApiContext;
  readonly histories: AccountHistory;
  readonly blocks: BlockReader;
  readonly tokens: TokenFacts;
  /** ABIs beside those of the chain. */
  readonly abis?: OperatorAbis | undefined;
  /** Where calls go that take too long here; undefined: all are run here to their end. */
  readonly pool: HttpPool | undefined;
  /** What all pages share; work is counted in blocks that are read. */
  readonly turns: QuerySlices;
}

/** Blocks that pages read in one turn: about 10 ms. */
const BLOCKS_A_TURN = 16;

export function createV1Source(
  parts: Pick<V1Source, 'ledger' | 'api' | 'histories' | 'blocks' | 'pool' | 'abis'>,
): V1Source {
  return {
    ...parts,
    tokens: tokenFactsOf(parts.api),
    turns: new QuerySlices(BLOCKS_A_TURN),
  };
}

/** A block that a history names. @throws {TronError} HISTORY_NOT_KEPT: it has left the log */
export function blockAt({ blocks }: Pick<V1Source, 'blocks'>, number: number): ReadBlock {
  const block = blocks.byNumber(number);
  if (block !== undefined) return block;
  throw new TronError(
    'HISTORY_NOT_KEPT',
    `block ${number} has left the log: tronicle.log.retention says how many stay`,
  );
}
