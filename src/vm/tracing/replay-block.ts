import { present } from '../../primitives/assert.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { rememberParent } from '../../state-transition/state/block-hash-history.js';
import type { Mark } from '../../state-transition/state/journal.js';
import type { State } from '../../state-transition/state/state.js';
import type { BlockContext } from '../../state-transition/transaction.js';
import { type CanonicalChain, executeTransaction } from '../../state-transition/transactions/execute-transaction.js';
import type { SmartContractMachine } from '../../state-transition/transactions/smart-contract-machine.js';
import type { VmHooks } from '../machine/hooks.js';
import { executeSmartContract, noteEnergy, type VmRun } from '../smart-contract/execute.js';
import { createSmartContractMachine, sharedInterpreter } from '../smart-contract/machine.js';

/** Who watches one transaction. */
interface Watcher {
  readonly hooks?: VmHooks;
  /**
   * The transaction is over, what it costs is paid, and `state` is as it left it. Nothing may be written.
   * @param run undefined where no program was run
   * @param before the point before it, for `rowsAt` and `accountsWrittenSince`
   */
  ended(run: VmRun | undefined, state: State, before: Mark): void;
}

interface ReplayOptions {
  /** State after the parent of the block. It is the same again afterwards. */
  readonly state: State;
  readonly block: DecodedBlock;
  /** Place of the last transaction that is executed. */
  readonly last: number;
  /** Id of a block of the chain, by height. */
  blockId(number: number): Uint8Array | undefined;
  /** Who watches the transaction at a place; undefined: nobody. */
  watcherOf(index: number): Watcher | undefined;
}

/**
 * Executes transactions of a past block once more, watched, each on the state that those before it left.
 * @throws {ChainError} a transaction may not start, which those of an accepted block may; what a watcher throws
 */
export function replayBlock({ state, block, last, blockId, watcherOf }: ReplayOptions): void {
  const context: BlockContext = {
    number: block.number,
    timeMs: block.timeMs,
    witness: block.raw.witnessAddress,
    parentId: block.raw.parentHash,
    isSigned: block.isSigned,
  };
  const plain = createSmartContractMachine(blockId);
  const executor = { chain: chainBefore(block, state, blockId) };
  const mark = state.mark();
  try {
    state.properties.set('BLOCK_ENERGY_USAGE', 0n);
    rememberParent(state, block.number, block.raw.parentHash);
    for (const [at, transaction] of block.transactions.slice(0, last + 1).entries()) {
      const watcher = watcherOf(at);
      let outcome: VmRun | undefined;
      const watched: SmartContractMachine = {
        ...plain,
        run: (runState, toRun, receipt) => {
          const interpreter = sharedInterpreter();
          outcome = executeSmartContract(runState, toRun, { interpreter, blockId, hooks: watcher?.hooks });
          noteEnergy(outcome, receipt);
          return outcome;
        },
      };
      const before = state.mark();
      const machine = watcher === undefined ? plain : watched;
      executeTransaction({ ...executor, machine }, state, { transaction, block: context }, { isVerified: true });
      watcher?.ended(outcome, state, before);
    }
  } finally {
    state.revertTo(mark);
  }
}

/** What the rules asked of the chain when the block came. */
function chainBefore(
  { number, raw }: DecodedBlock,
  { properties }: State,
  blockId: (number: number) => Uint8Array | undefined,
): CanonicalChain {
  const head = number - 1;
  return {
    headId: () => raw.parentHash,
    solidifiedId: () =>
      blockId(properties.number('LATEST_SOLIDIFIED_BLOCK_NUM')) ?? present(blockId(0), 'a chain has a first block'),
    recentBlockId: (low) => blockId(head - ((head - low) & 0xffff)),
    // The block was accepted: none of its transactions had been there before.
    hasTransaction: () => false,
  };
}
