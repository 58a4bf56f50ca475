import type { ChainView } from '../../api/context/api-context.js';
import type { PastViews } from '../../api/context/past-views.js';
import type { ChainSource } from './api-context.js';

interface VotedViewOptions {
  readonly source: Pick<ChainSource, 'ledger' | 'heldStates' | 'storedNumber'>;
  /** Height of the newest block that enough witnesses voted for; 0: none. */
  readonly votedHeight: () => number;
  readonly head: () => ChainView;
  /** What the reference has on its disk. */
  readonly stored: () => ChainView;
  readonly past: PastViews;
}

/**
 * The state that PBFT confirmed. The reference steps back from its newest state, which is that of what waits where
 * something waits: then it finds the state one block above the voted one. It never goes below its disk, and where it
 * runs over rows it finds those of the head.
 * Reference: Manager.setCursor, Chainbase.head.
 */
export class VotedView {
  private readonly options: VotedViewOptions;
  private known: { readonly past: ChainView; readonly head: ChainView; readonly view: ChainView } | undefined;

  constructor(options: VotedViewOptions) {
    this.options = options;
  }

  view(): ChainView {
    return this.below(this.options.source.ledger.position.headNumber);
  }

  /**
   * As who asks for the state while it is asked already: the steps are counted from its height, and made from the
   * newest one again.
   */
  again(): ChainView {
    return this.below(this.view().headNumber);
  }

  /** @param height of which the voted one is so far below as the state that is wanted is below the newest */
  private below(height: number): ChainView {
    const { source, votedHeight, head: headOf, stored: storedOf, past: pastOf } = this.options;
    const steps = height - votedHeight();
    if (steps === 0) return headOf();
    const stored = storedOf();
    const shown = source.ledger.position.headNumber - steps + this.waitingStates();
    if (steps < 0 || shown <= stored.headNumber) return stored;
    const past = pastOf.at(shown);
    const head = headOf();
    if (this.known?.past !== past || this.known.head !== head) {
      const view = { ...past, flushedNumber: stored.headNumber, listed: head };
      this.known = { past, head, view };
    }
    return this.known.view;
  }

  /** 1 where something waits. */
  private waitingStates(): number {
    const { heldStates, storedNumber, ledger } = this.options.source;
    if (heldStates === undefined || storedNumber === undefined) return 0;
    return heldStates > ledger.position.headNumber - storedNumber ? 1 : 0;
  }
}
