import { equalBytes } from '../../log/domain/bytes.js';
import { logResult } from './block-results.js';
/** Bytes of an address in logs, which has no prefix. */
export const ADDRESS_BYTES = 20;
/** Reference: LogFilter.matchesExactly. */
export function matchesLog({ addresses, topics }, log) {
    if (addresses.length > 0 && !addresses.some((address) => equalBytes(address, log.address.subarray(-ADDRESS_BYTES)))) {
        return false;
    }
    return topics.every((wanted, at) => {
        const found = log.topics[at];
        return found !== undefined && (wanted.length === 0 || wanted.some((item) => equalBytes(item, found)));
    });
}
/** The logs of a block that a filter asks for. Reference: LogMatch.matchBlock. */
export function matchBlock(filter, content, removed, hasTime) {
    const found = [];
    let logIndex = 0;
    for (const [index, { log: logs }] of content.infos.entries()) {
        for (const [at, log] of logs.entries()) {
            if (matchesLog(filter, log))
                found.push(logResult(content, { transaction: index, at, logIndex, removed, hasTime }));
            logIndex++;
        }
    }
    return found;
}
//# sourceMappingURL=log-filter.js.map