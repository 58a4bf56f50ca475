import { equalBytes } from '../../primitives/bytes.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/**
 * Limits the number of blocks that a page reads per turn of the event loop. Also detects a reorg during the read, so
 * that a page never mixes data of two branches.
 */
export class OneChain {
  private readonly source: Pick<V1Source, 'ledger' | 'turns'>;
  private readonly headNumber: number;
  private readonly headId: Uint8Array;

  constructor(source: Pick<V1Source, 'ledger' | 'turns'>) {
    this.source = source;
    const { headNumber, headId } = source.ledger.position;
    this.headNumber = headNumber;
    this.headId = Uint8Array.from(headId);
  }

  /**
   * Counts read blocks against the limit of all pages. Resolves when the page may read more.
   * @param work number of read blocks; other work counts as a fraction or a multiple of a read block
   * @throws {V1Error} a reorg has reverted the block that was the head at the start
   */
  async take(work: number): Promise<void> {
    const { turns, ledger } = this.source;
    await turns.take(work);
    const id = ledger.blockIdAt(this.headNumber);
    if (id === undefined || !equalBytes(id, this.headId)) {
      throw new V1Error(503, 'a reorg reverted blocks while the node read this page; request the page again');
    }
  }
}
