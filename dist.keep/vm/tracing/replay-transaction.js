import { rememberParent } from '../block/block-hash-history.js';
import { contractHandlers } from '../contracts/handlers.js';
import { executeSmartContract, noteEnergy } from '../smart-contract/execute.js';
import { createSmartContractMachine, sharedInterpreter } from '../smart-contract/machine.js';
import { executeTransaction } from '../transactions/execute-transaction.js';
/**
 * Executes a transaction of a past block once more, watched, after those before it in the block.
 * @returns undefined for one that runs no program
 * @throws {ChainError} the transaction may not start, which that of an accepted block may; what the watcher throws
 */
export function replayTransaction({ state, block, index, blockId, hooks }) {
    const context = {
        number: block.number,
        timeMs: block.timeMs,
        witness: block.raw.witnessAddress,
        parentId: block.raw.parentHash,
        isSigned: block.isSigned,
    };
    const plain = createSmartContractMachine(blockId);
    const executor = { chain: chainBefore(block, state, blockId), handlers: contractHandlers };
    let outcome;
    const watched = {
        ...plain,
        run: (runState, transaction, receipt) => {
            outcome = executeSmartContract(runState, transaction, { interpreter: sharedInterpreter(), blockId, hooks });
            noteEnergy(outcome, receipt);
            return outcome;
        },
    };
    const mark = state.mark();
    try {
        state.properties.set('BLOCK_ENERGY_USAGE', 0n);
        rememberParent(state, block.number, block.raw.parentHash);
        for (const [at, transaction] of block.transactions.slice(0, index + 1).entries()) {
            const machine = at === index ? watched : plain;
            executeTransaction({ ...executor, machine }, state, { transaction, block: context }, { isVerified: true });
        }
        return outcome;
    }
    finally {
        state.revertTo(mark);
    }
}
/** What the rules asked of the chain when the block came. */
function chainBefore({ number, raw }, { properties }, blockId) {
    const head = number - 1;
    return {
        headId: () => raw.parentHash,
        solidifiedId: () => blockId(properties.number('LATEST_SOLIDIFIED_BLOCK_NUM')) ?? blockId(0),
        recentBlockId: (low) => blockId(head - ((head - low) & 0xffff)),
        // The block was accepted: none of its transactions had been there before.
        hasTransaction: () => false,
    };
}
//# sourceMappingURL=replay-transaction.js.map