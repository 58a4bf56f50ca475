import type { ProjectedBlock, Projection, ProjectionBit } from './projection.js';
import type { ProjectionRowWrite, ProjectionWrite } from './projection-database.js';

/** The row changes that a batch of blocks makes to one projection. */
export class FoldedBlocks {
  private readonly projection: Projection;
  /**
   * Row changes in log order. If the batch contains a block and later its revert, the list contains first the rows of
   * the block, and later the deletions of these rows.
   */
  private readonly rows: ProjectionRowWrite[] = [];
  private readonly bits = new Map<string, { readonly size: number; readonly values: Map<number, boolean> }>();

  constructor(projection: Projection) {
    this.projection = projection;
  }

  /**
   * Adds the row changes of one block.
   * @param isAdded false for a reverted block: its rows are deleted and its bits cleared
   * @returns the number of rows
   * @throws errors of the projection, such as HISTORY_NOT_KEPT
   */
  fold(block: ProjectedBlock, isAdded: boolean): number {
    const rows = this.projection.apply(block);
    for (const row of rows) {
      if ('bit' in row) this.setBit(row, isAdded);
      else this.rows.push(isAdded ? row : { key: row.key, value: undefined });
    }
    return rows.length;
  }

  /** Returns the row and bit changes of all blocks in the batch. */
  writes(): ProjectionWrite {
    const bits = [...this.bits].map(([text, set]) => ({ key: Buffer.from(text, 'latin1'), ...set }));
    return { rows: this.rows, bits };
  }

  private setBit({ key, bit, bits: size }: ProjectionBit, isSet: boolean): void {
    const text = Buffer.from(key).toString('latin1');
    const known = this.bits.get(text);
    if (known !== undefined) known.values.set(bit, isSet);
    else this.bits.set(text, { size, values: new Map([[bit, isSet]]) });
  }
}
