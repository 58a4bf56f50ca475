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

/** Tracer of one transaction. */
interface Watcher {
  readonly hooks?: VmHooks;
  /**
   * Called after the transaction and its settlement, with the resulting state. Must not change the state.
   * @param run undefined if no program ran
   * @param before mark before the transaction, for `rowsAt` and `accountsWrittenSince`
   */
  ended(run: VmRun | undefined, state: State, before: Mark): void;
}

interface ReplayOptions {
  /** State after the parent of the block. All changes are reverted at the end. */
  readonly state: State;
  readonly block: DecodedBlock;
  /** Index of the last transaction to execute. */
  readonly last: number;
  /** Returns the id of a block of the chain, by height. */
  blockId(number: number): Uint8Array | undefined;
  /** Returns the tracer of the transaction at an index; undefined for no tracer. */
  watcherOf(index: number): Watcher | undefined;
}

/**
 * Executes the transactions of a past block again with tracers. Each transaction sees the effects of the earlier
 * transactions.
 * @throws {ChainError} a transaction is invalid, which is impossible in an accepted block; also any error of a tracer
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

/** Returns a view of the chain up to the parent of the block. */
function chainBefore(
  { number, raw }: DecodedBlock,
  { properties }: State,
  blockId: (number: number) => Uint8Array | undefined,
): CanonicalChain {
  const head = number - 1;
  return {
    headId: () => raw.parentHash,
    solidifiedId: () =>
      blockId(properties.number('LATEST_SOLIDIFIED_BLOCK_NUM')) ?? present(blockId(0), 'every chain has block 0'),
    recentBlockId: (low) => blockId(head - ((head - low) & 0xffff)),
    // An accepted block contains no duplicate transaction, so the check is skipped.
    hasTransaction: () => false,
  };
}
