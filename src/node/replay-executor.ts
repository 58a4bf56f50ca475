import { present } from '../primitives/assert.js';
import type { Replay } from '../projections/ledger/replay.js';
import { decodeBlock } from '../state-transition/block/decoded-block.js';
import type { BlockExecutor } from '../state-transition/block/execute-block.js';
import type { State } from '../state-transition/state/state.js';
import { createSmartContractMachine } from '../vm/smart-contract/machine.js';

/**
 * Creates the executor for a replay. The executor finds block ids among the canonical blocks below the executed block.
 */
export function replayExecutor(job: Replay, state: State): BlockExecutor {
  const idAt = (number: number): Uint8Array => present(job.blockIdAt(number), 'a replay has the blocks below');
  return {
    machine: createSmartContractMachine((number) => job.blockIdAt(number)),
    parentStateRoot: () => decodeBlock(job.blockAt(job.number)).raw.accountStateRoot,
    chain: {
      hasTransaction: ({ id }) => job.hasTransaction(id),
      headId: () => idAt(job.number),
      solidifiedId: () => idAt(state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM')),
      recentBlockId: (low) => {
        const number = job.number - ((job.number - low) & 0xffff);
        return number < 0 ? undefined : job.recentIdAt(number);
      },
    },
  };
}
