import { FastInterpreter } from '../interpreter/fast.js';
import type { Interpreter } from '../interpreter/machine.js';
import type { SmartContractMachine } from '../smart-contract-machine.js';
import { executeSmartContract, noteEnergy, type VmRun } from './execute.js';
import { settleEnergy } from './settle.js';

let shared: Interpreter | undefined;

/** The interpreter of this thread; its memory is taken when it is first asked for. */
export function sharedInterpreter(): Interpreter {
  shared ??= new FastInterpreter();
  return shared;
}

/**
 * The machine that blocks and waiting transactions are executed with.
 * @param blockId id of a block of the chain that is executed on, by number
 */
export function createSmartContractMachine(
  blockId: (number: number) => Uint8Array | undefined,
  interpreter = sharedInterpreter(),
): SmartContractMachine {
  return {
    run(state, context, receipt) {
      const run = executeSmartContract(state, context, { interpreter, blockId });
      noteEnergy(run, receipt);
      return run;
    },
    // The rules hand back the run that they got above.
    settle: (state, context, run, receipt) => settleEnergy(state, context, run as VmRun, receipt),
  };
}
