import type { Ledger } from '../../projections/ledger/ledger.js';
import type { ChainRules } from '../../state-transition/state/chain-rules.js';
import { State } from '../../state-transition/state/state.js';
import type { ChainView } from './api-context.js';
import { viewOfLedger } from './ledger-view.js';

/** Views kept with their decoded rows: those who look at the past ask for the same few heights many times. */
const VIEWS_MAX = 8;

/** States after the blocks of past heights, without what waits. */
export class PastViews {
  private readonly ledger: Ledger;
  private readonly rules: ChainRules;
  private readonly views = new Map<number, ChainView>();
  private seq = -1;

  constructor(ledger: Ledger, rules: ChainRules) {
    this.ledger = ledger;
    this.rules = rules;
  }

  /** Good until the caller returns to the event loop. @throws {TronError} HISTORY_NOT_KEPT, HEIGHT_UNKNOWN */
  at(height: number): ChainView {
    const { ledger, rules, views } = this;
    // Every append makes the views of before void.
    if (this.seq !== ledger.position.seq) views.clear();
    this.seq = ledger.position.seq;
    const known = views.get(height);
    if (known !== undefined) return known;
    const view = viewOfLedger(ledger, new State(ledger.at(height), rules), height);
    if (views.size >= VIEWS_MAX) views.clear();
    views.set(height, view);
    return view;
  }
}
