import { toHex } from '../../../primitives/bytes.js';
import type { ChainView } from '../../context/api-context.js';
import { assets } from '../../operations/assets.js';
import { proposals, witnesses } from '../../operations/governance.js';
import { type GraphqlPage, type PageArguments, pageByKey } from '../page.js';

interface SortedRow {
  readonly key: string;
  readonly row: object;
}

type Keyed = readonly (readonly [key: string, row: object])[];

/**
 * Rows of each table with their sort keys. Sort keys are texts. Numbers in a sort key are padded to equal length, so
 * that keys in text order are also in numeric order.
 */
const tables = {
  /** Witnesses, sorted by votes, highest first. */
  witnesses: (view: ChainView): Keyed =>
    witnesses(view).witnesses.map((row) => [downwards(row.voteCount) + toHex(row.address), row]),
  /** Proposals, newest first. */
  proposals: (view: ChainView): Keyed => proposals(view).proposals.map((row) => [downwards(row.proposalId), row]),
  /** TRC10 assets, sorted by id. */
  assets: (view: ChainView): Keyed => assets(view).assetIssue.map((row) => [row.id.padStart(20, '0'), row]),
} as const;

/**
 * Returns pages of tables whose sort order differs from the order of the row keys in the state. Reads and sorts each
 * table once per view.
 */
export class SortedTables {
  private readonly known = new WeakMap<ChainView, Map<string, readonly SortedRow[]>>();

  page(table: keyof typeof tables, view: ChainView, page: PageArguments): GraphqlPage<object> {
    const found = pageByKey(table, this.sorted(table, view), ({ key }) => key, page);
    return { ...found, nodes: found.nodes.map(({ row }) => row) };
  }

  private sorted(table: keyof typeof tables, view: ChainView): readonly SortedRow[] {
    let ofView = this.known.get(view);
    if (ofView === undefined) {
      ofView = new Map();
      this.known.set(view, ofView);
    }
    let rows = ofView.get(table);
    if (rows === undefined) {
      rows = tables[table](view)
        .map(([key, row]) => ({ key, row }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      ofView.set(table, rows);
    }
    return rows;
  }
}

function downwards(number: bigint): string {
  return (2n ** 63n - number).toString().padStart(20, '0');
}
