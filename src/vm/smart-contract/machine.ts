import { Deadline } from '../../primitives/deadline.js';
import { onFirstUse } from '../../primitives/on-first-use.js';
import type { SmartContractMachine } from '../../state-transition/transactions/smart-contract-machine.js';
import { WasmInterpreter } from '../interpreter/wasm-interpreter.js';
import type { Interpreter } from '../machine/machine.js';
import { executeSmartContract, noteEnergy, type VmRun } from './execute.js';
import { settleEnergy } from './settle.js';

/** Returns the interpreter of this thread, which is created on first use. */
export const sharedInterpreter: () => Interpreter = onFirstUse(() => new WasmInterpreter());

interface SmartContractMachineOptions {
  /** Interpreter that runs programs. Default: the interpreter of this thread. */
  readonly interpreter?: Interpreter;
  /**
   * Returns the time in ms since 1970. If set, programs outside of signed blocks have the time limit of the chain
   * parameters. If undefined, programs have no time limit.
   */
  readonly now?: () => number;
}

/**
 * Creates the machine that executes blocks and pending transactions.
 * @param blockId returns the id of a block of the current chain, by number
 */
export function createSmartContractMachine(
  blockId: (number: number) => Uint8Array | undefined,
  { interpreter, now }: SmartContractMachineOptions = {},
): SmartContractMachine {
  return {
    run(state, context, receipt) {
      // The clock limits only transactions outside of signed blocks. It never decides the result of a signed block.
      const isTimed = now !== undefined && context.block?.isSigned !== true && !state.rules.debug;
      const deadline = isTimed
        ? new Deadline(now() + state.properties.number('MAX_CPU_TIME_OF_ONE_TX'), now)
        : undefined;
      const run = executeSmartContract(state, context, {
        interpreter: interpreter ?? sharedInterpreter(),
        blockId,
        deadline,
      });
      noteEnergy(run, receipt);
      return run;
    },
    // The cast is safe, because `settle` receives only results that `run` returned.
    settle: (state, context, run, receipt) => settleEnergy(state, context, run as VmRun, receipt),
  };
}
