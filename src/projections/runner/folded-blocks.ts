import type { ProjectedBlock, Projection, ProjectionBit } from './projection.js';
import type { ProjectionRowWrite, ProjectionWrite } from './projection-database.js';

/** The changes that several blocks make to one projection. */
export class FoldedBlocks {
  private readonly projection: Projection;
  /** In log order: the rows of a block that is added and reverted later are first put and then removed. */
  private readonly rows: ProjectionRowWrite[] = [];
  private readonly bits = new Map<string, { readonly size: number; readonly values: Map<number, boolean> }>();

  constructor(projection: Projection) {
    this.projection = projection;
  }

  /**
   * Folds a block. Returns the number of its rows.
   * @param isAdded false to delete the rows of the block and clear its bits
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

  /** Returns all changes. */
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
