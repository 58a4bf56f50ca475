import { rememberParent } from '../block/block-hash-history.js';
import type { DecodedBlock } from '../block/decoded-block.js';
import { contractHandlers } from '../contracts/handlers.js';
import type { VmHooks } from '../interpreter/hooks.js';
import { executeSmartContract, noteEnergy, type VmRun } from '../smart-contract/execute.js';
import { createSmartContractMachine, sharedInterpreter } from '../smart-contract/machine.js';
import type { SmartContractMachine } from '../smart-contract-machine.js';
import type { State } from '../state/state.js';
import type { BlockContext } from '../transaction.js';
import { type ChainView, executeTransaction } from '../transactions/execute-transaction.js';

export interface ReplayOptions {
  /** State after the parent of the block. It is the same again afterwards. */
  readonly state: State;
  readonly block: DecodedBlock;
  /** Place of the transaction in its block. */
  readonly index: number;
  /** Id of a block of the chain, by height. */
  blockId(number: number): Uint8Array | undefined;
  readonly hooks: VmHooks;
}

/**
 * Executes a transaction of a past block once more, watched, after those before it in the block.
 * @returns undefined for one that runs no program
 * @throws {ChainError} the transaction may not start, which that of an accepted block may; what the watcher throws
 */
export function replayTransaction({ state, block, index, blockId, hooks }: ReplayOptions): VmRun | undefined {
  const context: BlockContext = {
    number: block.number,
    timeMs: block.timeMs,
    witness: block.raw.witnessAddress,
    parentId: block.raw.parentHash,
    isSigned: block.isSigned,
  };
  const plain = createSmartContractMachine(blockId);
  const executor = { chain: chainBefore(block, state, blockId), handlers: contractHandlers };
  let outcome: VmRun | undefined;
  const watched: SmartContractMachine = {
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
  } finally {
    state.revertTo(mark);
  }
}

/** What the rules asked of the chain when the block came. */
function chainBefore(
  { number, raw }: DecodedBlock,
  { properties }: State,
  blockId: (number: number) => Uint8Array | undefined,
): ChainView {
  const head = number - 1;
  return {
    headId: () => raw.parentHash,
    solidifiedId: () => blockId(properties.number('LATEST_SOLIDIFIED_BLOCK_NUM')) ?? blockId(0)!,
    recentBlockId: (low) => blockId(head - ((head - low) & 0xffff)),
    // The block was accepted: none of its transactions had been there before.
    hasTransaction: () => false,
  };
}
