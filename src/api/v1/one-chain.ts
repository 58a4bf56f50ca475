import { equalBytes } from '../../primitives/bytes.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/**
 * Limits the work of pages per turn of the event loop. Also detects a reorg while a page is read, so that no page mixes
 * data of two branches.
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
   * Records work, and resolves when more work is allowed.
   * @param work cost in blocks read
   * @throws {V1Error} a reorg reverted the block that was the head at the start, so positions read earlier may be wrong
   */
  async take(work: number): Promise<void> {
    const { turns, ledger } = this.source;
    await turns.take(work);
    const id = ledger.blockIdAt(this.headNumber);
    if (id === undefined || !equalBytes(id, this.headId)) {
      throw new V1Error(503, 'reorg while the page was read; retry');
    }
  }
}
