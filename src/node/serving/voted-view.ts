import type { ChainView } from '../../api/context/api-context.js';
import type { PastViews } from '../../api/context/past-views.js';
import type { ChainSource } from './chain-source.js';

interface VotedViewOptions {
  readonly source: Pick<ChainSource, 'ledger' | 'snapshotCount' | 'storedNumber'>;
  /** Returns the height of the newest block with a PBFT quorum; 0 if no block has a quorum. */
  readonly votedHeight: () => number;
  readonly head: () => ChainView;
  /** Returns the view of the newest block that java-tron would have flushed to disk. */
  readonly stored: () => ChainView;
  readonly past: PastViews;
}

/**
 * View of the state that PBFT has confirmed. Reference: Manager.setCursor, Chainbase.head.
 *
 * As in java-tron, the offset is the number of blocks from the voted block to the head. The view is the state this
 * number of blocks below the newest state. The newest state includes pending transactions, so with pending transactions
 * the result is one block above the voted block. The result is never older than the state on java-tron's disk. Lists of
 * rows are read from the head.
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
   * Returns the view for a request to which java-tron applies an offset twice (`HttpEndpoint.handsOn`). The second
   * offset is the number of blocks from the voted block to the height of {@link view}. If `view` is at the voted block,
   * the second offset is 0, and the result is the head.
   */
  again(): ChainView {
    return this.below(this.view().headNumber);
  }

  /**
   * Returns the state that is a number of blocks below the newest state: `height` minus the height of the voted block.
   * @param height height from which the offset to the voted block is measured
   */
  private below(height: number): ChainView {
    const { source, votedHeight, head: headOf, stored: storedOf, past: pastOf } = this.options;
    const steps = height - votedHeight();
    if (steps === 0) return headOf();
    const stored = storedOf();
    const shown = source.ledger.position.headNumber - steps + this.pendingStates();
    if (steps < 0 || shown <= stored.headNumber) return stored;
    const past = pastOf.at(shown);
    const head = headOf();
    if (this.known?.past !== past || this.known.head !== head) {
      const view = { ...past, flushedNumber: stored.headNumber, listed: head };
      this.known = { past, head, view };
    }
    return this.known.view;
  }

  /** Returns the number of states on top of the head: 1 if there are pending transactions, otherwise 0. */
  private pendingStates(): number {
    const { snapshotCount, storedNumber, ledger } = this.options.source;
    if (snapshotCount === undefined || storedNumber === undefined) return 0;
    return snapshotCount > ledger.position.headNumber - storedNumber ? 1 : 0;
  }
}
