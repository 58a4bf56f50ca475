import type { Ledger } from '../../projections/ledger/ledger.js';
import type { ChainRules } from '../../state-transition/state/chain-rules.js';
import { State } from '../../state-transition/state/state.js';
import type { ChainView } from './api-context.js';
import { viewOfLedger } from './ledger-view.js';

/** Number of cached views. Clients usually query the same few past heights. */
const VIEWS_MAX = 8;

/** Views of the states after past blocks. They have no pending transactions. */
export class PastViews {
  private readonly ledger: Ledger;
  private readonly rules: ChainRules;
  private readonly answerBytesMax: number | undefined;
  private readonly views = new Map<number, ChainView>();
  private seq = -1;

  /**
   * @param answerBytesMax maximum size in bytes of the blocks from which one answer is created; undefined means no
   * limit
   */
  constructor(ledger: Ledger, rules: ChainRules, answerBytesMax?: number) {
    this.ledger = ledger;
    this.rules = rules;
    this.answerBytesMax = answerBytesMax;
  }

  /**
   * Returns the view at a height. The view is valid until the caller returns to the event loop.
   * @throws {TronError} HISTORY_NOT_KEPT: the state is pruned; HEIGHT_UNKNOWN: the height is above the head
   */
  at(height: number): ChainView {
    const { ledger, rules, views } = this;
    // Each new entry of the block log invalidates all views.
    if (this.seq !== ledger.position.seq) views.clear();
    this.seq = ledger.position.seq;
    const known = views.get(height);
    if (known !== undefined) return known;
    const view = viewOfLedger(ledger, new State(ledger.at(height), rules), height, this.answerBytesMax);
    if (views.size >= VIEWS_MAX) views.clear();
    views.set(height, view);
    return view;
  }
}
