import { checkStopConditions } from './config/stop-conditions.js';
/** @throws {UsageError} conditions that contradict the head or each other. Reference: Manager.initAutoStop */
export function stopTarget(config, chain) {
    const { ledger, state } = chain;
    const { height, time } = checkStopConditions(config.node.shutdown, ledger.position.headNumber, state.properties.number('latest_block_header_timestamp'));
    let isTimeReached = false;
    return {
        isReached: height !== undefined && height === ledger.position.headNumber,
        isReachedBefore: (block) => {
            if (isTimeReached)
                return true;
            if (height !== undefined && block.number > height)
                return true;
            // The block whose time satisfies the text is the last one that is taken.
            isTimeReached = time?.isSatisfied(block.timeMs) === true;
            return false;
        },
        isReachedBy: (head) => isTimeReached || (height !== undefined && head >= height),
    };
}
//# sourceMappingURL=stop-target.js.map