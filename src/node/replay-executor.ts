import type { Replay } from '../projections/replay.js';
import { contractHandlers } from '../vm/contracts/handlers.js';
import { createSmartContractMachine } from '../vm/smart-contract/machine.js';
import type { State } from '../vm/state/state.js';
import type { Executor } from '../vm/transactions/execute-transaction.js';

/** What executes the blocks of a replay: it sees the chain as it was before each. */
export function replayExecutor(job: Replay, state: State): Executor {
  const idAt = (number: number): Uint8Array => job.blockIdAt(number)!;
  return {
    handlers: contractHandlers,
    machine: createSmartContractMachine((number) => job.blockIdAt(number)),
    chain: {
      hasTransaction: (id) => job.hasTransaction(id),
      headId: () => idAt(job.number),
      solidifiedId: () => idAt(state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM')),
      recentBlockId: (low) => {
        const number = job.number - ((job.number - low) & 0xffff);
        return number < 0 ? undefined : job.blockIdAt(number);
      },
    },
  };
}
