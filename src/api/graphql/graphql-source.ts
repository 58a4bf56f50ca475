import type { OperatorAbis } from '../../encoding/abi/operator-abis.js';
import { AccountHistory } from '../../projections/indexes/account-history.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { ChainRules } from '../../state-transition/state/chain-rules.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import { PastViews } from '../context/past-views.js';
import { BlockReader } from '../context/read-block.js';
import { NO_PROGRESS, type NodeProgress } from './node-progress.js';
import { QuerySlices } from './query-slices.js';

/** Data sources of the GraphQL resolvers. */
export interface GraphqlSource {
  readonly ledger: Ledger;
  readonly rules: ChainRules;
  readonly api: ApiContext;
  readonly blocks: BlockReader;
  readonly histories: AccountHistory;
  readonly progress: NodeProgress;
  /** ABIs that the operator has set. They supplement the ABIs on the chain. */
  readonly abis?: OperatorAbis | undefined;
  /**
   * Limits the cost of all log searches per turn of the event loop. The unit is the cost of searching one transaction.
   */
  readonly searches: QuerySlices;
  /**
   * Returns the state after the block at a height. Default: the newest state. The result is valid until the caller
   * returns to the event loop.
   * @throws {TronError} HISTORY_NOT_KEPT: the state is pruned; HEIGHT_UNKNOWN: the block does not exist
   */
  at(height?: number | bigint | null): ChainView;
}

/** Number of transactions whose logs are searched per turn of the event loop. This takes about 10 ms. */
const SEARCHED_MAX = 2_500;

export type GraphqlSourceOptions = Pick<GraphqlSource, 'ledger' | 'rules' | 'api'> &
  Partial<Pick<GraphqlSource, 'blocks' | 'histories' | 'progress' | 'abis'>>;

/** Creates the data sources. Optional parts that are missing get defaults. */
export function createGraphqlSource(options: GraphqlSourceOptions): GraphqlSource {
  const { ledger, rules } = options;
  const past = new PastViews(ledger, rules);
  return {
    progress: NO_PROGRESS,
    ...options,
    histories: options.histories ?? new AccountHistory(undefined, ledger, []),
    blocks: options.blocks ?? new BlockReader(ledger),
    searches: new QuerySlices(SEARCHED_MAX),
    at: (height) => past.at(height === undefined || height === null ? ledger.position.headNumber : Number(height)),
  };
}
