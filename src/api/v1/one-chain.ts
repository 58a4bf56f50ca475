import { equalBytes } from '../../primitives/bytes.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/** Shares the thread with all other pages that are being made, and sees to it that a page is of one chain. */
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
   * After a piece of work: ends when there is room for more.
   * @param work in blocks that are read
   * @throws {V1Error} the block that was the head is taken back: places that were read may be others' by now
   */
  async take(work: number): Promise<void> {
    const { turns, ledger } = this.source;
    await turns.take(work);
    const id = ledger.blockIdAt(this.headNumber);
    if (id === undefined || !equalBytes(id, this.headId)) {
      throw new V1Error(503, 'blocks were taken back while the page was made: ask again');
    }
  }
}
