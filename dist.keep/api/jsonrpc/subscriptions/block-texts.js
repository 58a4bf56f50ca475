import { blockResult } from '../block-results.js';
import { renderLogs } from '../rendered-logs.js';
/** What a block is told as: made when the first subscription asks, once for all of them. */
export class BlockTexts {
    isUndone;
    event;
    context;
    headerText;
    renderedLogs;
    constructor(event, context) {
        this.isUndone = event.isUndone;
        this.event = event;
        this.context = context;
    }
    /** JSON of the header, as `eth_getBlockByNumber` shows it. */
    get header() {
        this.headerText ??= this.makeHeader();
        return this.headerText;
    }
    get logs() {
        this.renderedLogs ??= renderLogs(this.event.content, {
            removed: this.isUndone,
            hasTime: this.context.api.settings.release.timesLogs,
        });
        return this.renderedLogs;
    }
    makeHeader() {
        const { api, view } = this.context;
        const print = { view: api.view(view), ...api.settings };
        const block = blockResult(this.event.content, false, print);
        const { transactions: _, uncles: __, size: ___, totalDifficulty: ____, ...header } = block;
        return JSON.stringify(header);
    }
}
//# sourceMappingURL=block-texts.js.map