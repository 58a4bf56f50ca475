import { logResult } from './block-results.js';
/** All logs of a block, in order. */
export function renderLogs({ block, infos }, shown) {
    let logIndex = 0;
    return infos.flatMap(({ log: logs }, at) => logs.map((log, place) => ({
        // Copies: the block's bytes must not stay with them.
        address: log.address.slice(),
        topics: log.topics.map((topic) => topic.slice()),
        text: JSON.stringify(logResult({ block, infos }, { transaction: at, at: place, logIndex: logIndex++, ...shown })),
    })));
}
//# sourceMappingURL=rendered-logs.js.map