import { Deadline } from '../../primitives/deadline.js';
import type { SmartContractMachine } from '../../state-transition/transactions/smart-contract-machine.js';
import { WasmInterpreter } from '../interpreter/wasm-interpreter.js';
import type { Interpreter } from '../machine/machine.js';
import { executeSmartContract, noteEnergy, type VmRun } from './execute.js';
import { settleEnergy } from './settle.js';

let shared: Interpreter | undefined;

/** The interpreter of this thread; its memory is taken when it is first asked for. */
export function sharedInterpreter(): Interpreter {
  shared ??= new WasmInterpreter();
  return shared;
}

interface SmartContractMachineOptions {
  readonly interpreter?: Interpreter;
  /**
   * ms since 1970, for what no witness has signed yet: such a program has the time that the committee grants. Without
   * it: any.
   */
  readonly now?: () => number;
}

/**
 * The machine that blocks and waiting transactions are executed with.
 * @param blockId id of a block of the chain that is executed on, by number
 */
export function createSmartContractMachine(
  blockId: (number: number) => Uint8Array | undefined,
  { interpreter = sharedInterpreter(), now }: SmartContractMachineOptions = {},
): SmartContractMachine {
  return {
    run(state, context, receipt) {
      // The clock limits what this node packs; it never decides about a block that a witness signed.
      const isTimed = now !== undefined && context.block?.isSigned !== true && !state.rules.debug;
      const deadline = isTimed
        ? new Deadline(now() + state.properties.number('MAX_CPU_TIME_OF_ONE_TX'), now)
        : undefined;
      const run = executeSmartContract(state, context, { interpreter, blockId, deadline });
      noteEnergy(run, receipt);
      return run;
    },
    // The rules hand back the run that they got above.
    settle: (state, context, run, receipt) => settleEnergy(state, context, run as VmRun, receipt),
  };
}
