import { decodeBlock } from '../vm/block/decoded-block.js';
import { contractHandlers } from '../vm/contracts/handlers.js';
import { createSmartContractMachine } from '../vm/smart-contract/machine.js';
/** What executes the blocks of a replay: it sees the chain as it was before each. */
export function replayExecutor(job, state) {
    const idAt = (number) => job.blockIdAt(number);
    return {
        handlers: contractHandlers,
        machine: createSmartContractMachine((number) => job.blockIdAt(number)),
        parentStateRoot: () => decodeBlock(job.blockAt(job.number)).raw.accountStateRoot,
        chain: {
            hasTransaction: (id) => job.hasTransaction(id),
            headId: () => idAt(job.number),
            solidifiedId: () => idAt(state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM')),
            recentBlockId: (low) => {
                const number = job.number - ((job.number - low) & 0xffff);
                return number < 0 ? undefined : job.recentIdAt(number);
            },
        },
    };
}
//# sourceMappingURL=replay-executor.js.map