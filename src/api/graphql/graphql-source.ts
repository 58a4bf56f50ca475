import type { Ledger } from '../../projections/ledger.js';
import type { ChainRules } from '../../vm/state/chain-rules.js';
import { State } from '../../vm/state/state.js';
import type { ApiContext, ChainView } from '../api-context.js';
import { viewOfLedger } from '../ledger-view.js';
import { BlockReader } from './read-block.js';

/** What GraphQL answers from. */
export interface GraphqlSource {
  readonly ledger: Ledger;
  readonly rules: ChainRules;
  readonly api: ApiContext;
  readonly blocks: BlockReader;
  /**
   * State after the block of a height; without one after the newest. Good until the caller returns to the event loop.
   * @throws {TronError} HISTORY_NOT_KEPT, HEIGHT_UNKNOWN
   */
  at(height?: number | bigint | null): ChainView;
}

/** Views kept with their decoded rows: a page that names a few heights asks for each many times. */
const VIEWS_MAX = 8;

export function createGraphqlSource(options: Pick<GraphqlSource, 'ledger' | 'rules' | 'api'>): GraphqlSource {
  const { ledger, rules } = options;
  const views = new Map<number, ChainView>();
  let seq = -1;
  return {
    ...options,
    blocks: new BlockReader(ledger),
    at: (height) => {
      // Every append makes the views of before void.
      if (seq !== ledger.position.seq) views.clear();
      seq = ledger.position.seq;
      const number = height === undefined || height === null ? ledger.position.headNumber : Number(height);
      const known = views.get(number);
      if (known !== undefined) return known;
      const view = viewOfLedger(ledger, new State(ledger.at(number), rules), number);
      if (views.size >= VIEWS_MAX) views.clear();
      views.set(number, view);
      return view;
    },
  };
}
