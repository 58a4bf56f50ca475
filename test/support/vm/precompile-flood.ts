import { fromHex } from '../../../src/primitives/bytes.js';
import { Deadline } from '../../../src/primitives/deadline.js';
import { WasmInterpreter } from '../../../src/vm/interpreter/wasm-interpreter.js';
import { executeSmartContract } from '../../../src/vm/smart-contract/execute.js';
import { cpuMs } from '../cpu-clock.js';
import { callContext, worldWith } from './vm-world.js';

export interface Flood {
  /** Address of the precompile as a number. */
  readonly address: number;
  readonly input: Uint8Array;
  readonly energy: number;
  /** Time limit in ms. If undefined, only the energy limits the run. */
  readonly grantedMs?: number;
}

export interface FloodEnd {
  /** Code of the exception; undefined after a success. */
  readonly code: string | undefined;
  /** CPU time of the run in ms. */
  readonly elapsedMs: number;
}

const interpreter = new WasmInterpreter();

/**
 * Calls a precompile in a loop until all energy is used. The program first copies its call data to memory; each call
 * of the precompile uses it as input.
 */
export function floodPrecompile({ address, input, energy, grantedMs }: Flood): FloodEnd {
  const size = `62${input.length.toString(16).padStart(6, '0')}`;
  const target = `63${address.toString(16).padStart(8, '0')}`;
  // The output of each call is written to the memory after the input.
  const code = fromHex(`${size}60006000375b6000${size}${size}60006000${target}5af150600956`);
  const properties = { MAX_FEE_LIMIT: 10n ** 12n, ALLOW_SHIELDED_TRC20_TRANSACTION: 1n };
  const state = worldWith([code], { properties });
  const context = callContext(state, { data: input, energy });
  const started = cpuMs();
  const deadline = grantedMs === undefined ? {} : { deadline: new Deadline(Date.now() + grantedMs) };
  const run = executeSmartContract(state, context, { interpreter, blockId: () => undefined, ...deadline });
  return { code: run.exception?.code, elapsedMs: cpuMs() - started };
}
