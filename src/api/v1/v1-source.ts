import type { GivenAbis } from '../../content/abi/given-abis.js';
import { TronError } from '../../domain/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { type TokenFacts, tokenFactsOf } from '../abi/token-facts.js';
import type { ApiContext } from '../api-context.js';
import type { CallPool } from '../call-pool.js';
import { Turns } from '../graphql/turns.js';
import type { AccountHistory } from '../history/account-history.js';
import type { BlockReader, ReadBlock } from '../read-block.js';

/** What `/v1` answers from. */
export interface V1Source {
  readonly ledger: Ledger;
  readonly api: ApiContext;
  readonly histories: AccountHistory;
  readonly blocks: BlockReader;
  readonly tokens: TokenFacts;
  /** ABIs beside those of the chain. */
  readonly abis?: GivenAbis | undefined;
  /** Where calls go that take too long here; undefined: all are run here to their end. */
  readonly pool: CallPool | undefined;
  /** What all pages share; work is counted in blocks that are read. */
  readonly turns: Turns;
}

/** Blocks that pages read in one turn: about 10 ms. */
const BLOCKS_A_TURN = 16;

export function createV1Source(
  parts: Pick<V1Source, 'ledger' | 'api' | 'histories' | 'blocks' | 'pool' | 'abis'>,
): V1Source {
  return {
    ...parts,
    tokens: tokenFactsOf(parts.api),
    turns: new Turns(BLOCKS_A_TURN),
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
