import { toHex } from '../../log/domain/bytes.js';
import { assets } from '../operations/assets.js';
import { proposals, witnesses } from '../operations/governance.js';
import { pageByKey } from './page.js';
/** Rows of whole tables with the keys of their order: numbers with as many digits, so that texts sort as numbers do. */
const tables = {
    /** By votes, most first. */
    witnesses: (view) => witnesses(view).witnesses.map((row) => [downwards(row.voteCount) + toHex(row.address), row]),
    /** Newest first. */
    proposals: (view) => proposals(view).proposals.map((row) => [downwards(row.proposalId), row]),
    /** By id. */
    assets: (view) => assets(view).assetIssue.map((row) => [row.id.padStart(20, '0'), row]),
};
/** Pages of tables whose order is not that of their keys: read and sorted once for a view, however often a query asks. */
export class SortedTables {
    known = new WeakMap();
    page(table, view, page) {
        const found = pageByKey(table, this.sorted(table, view), ({ key }) => key, page);
        return { ...found, nodes: found.nodes.map(({ row }) => row) };
    }
    sorted(table, view) {
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
function downwards(number) {
    return (2n ** 63n - number).toString().padStart(20, '0');
}
//# sourceMappingURL=sorted-tables.js.map