import { join } from 'node:path';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import type { CreateSmartContract, TriggerSmartContract } from '../../src/codec/generated/messages.js';
import { TransactionContractContractType as ContractType } from '../../src/codec/generated/messages.js';
import { toHex } from '../../src/primitives/bytes.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { referenceInterpreter } from '../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../src/vm/interpreter/wasm-interpreter.js';
import type { Interpreter } from '../../src/vm/machine/machine.js';
import { readLines } from '../conformance/recording.js';
import { callContext, callWorld, contractAt, runContext, worldWith } from '../support/vm/vm-world.js';
import type { Figures } from './figures.js';

interface Workload {
  readonly name: string;
  /** Init code of the contract. */
  readonly init: Uint8Array;
  readonly data: Uint8Array;
}

interface Deployed {
  /** Executes the call once. @returns the energy used */
  call(): Promise<number> | number;
}

const ENERGY = 1_000_000_000;
const TURNS = 6;
const TURN_MS = 200;
/** Duration of the warm-up in ms. In this time, the JIT compiler optimizes both virtual machines. */
const WARM_UP_MS = 1000;
const NAMES: Readonly<Record<string, string>> = {
  '921f6d4c': 'arithmetic loop',
  '501895ae': 'keccak loop',
  '6ed28ed0': 'storage loop',
  a30aad5d: 'MULMOD loop',
  '40c1bfab': 'EXP loop',
  fe913865: 'sorting in memory',
  a9059cbb: 'TRC20 transfer',
};

/**
 * Measures calls of recorded contracts without the rest of a node. Compares this TVM with @ethereumjs/evm in the same
 * process.
 */
export async function microBench(folder: string, figures: Figures): Promise<void> {
  const workloads = [
    ...(await readWorkloads(join(folder, 'bench-compute'))),
    ...(await readWorkloads(join(folder, 'bench-trc20'))),
  ];
  console.log('bare calls per second: here, the plain interpreter, @ethereumjs/evm, ratio of the first to the last');
  for (const workload of workloads) {
    const [fast, plain, other] = (await measureInTurns([
      deployHere(workload, new WasmInterpreter()),
      deployHere(workload, referenceInterpreter),
      await deployThere(workload),
    ])) as [Rate, Rate, Rate];
    figures.note(`machine: ${workload.name}`, fast.perSecond, 'calls/s', fast.perSecond / other.perSecond);
    const energy = `${((fast.perSecond * fast.energy) / 1e6).toFixed(1)} M energy/s`;
    console.log(
      `   ${workload.name}: ${fast.perSecond.toFixed(0)} (${energy}), ${plain.perSecond.toFixed(0)}, ` +
        `${other.perSecond.toFixed(0)}: ${(fast.perSecond / other.perSecond).toFixed(1)} ×`,
    );
  }
}

/**
 * Returns one call of each contract function that a recorded chain calls. The call data are those of the first call of
 * the function.
 */
export async function readWorkloads(folder: string): Promise<Workload[]> {
  let init: Uint8Array | undefined;
  const found = new Map<string, Workload>();
  for await (const { block } of readLines<{ block?: string }>(join(folder, 'blocks.ndjson.gz'))) {
    if (block === undefined || found.size >= Object.keys(NAMES).length) continue;
    for (const { contractType, parameter } of decodeBlock(Buffer.from(block, 'hex')).transactions) {
      if (contractType === ContractType.CreateSmartContract) {
        init ??= (parameter as CreateSmartContract).newContract!.bytecode;
      }
      if (contractType !== ContractType.TriggerSmartContract || init === undefined) continue;
      const { data } = parameter as TriggerSmartContract;
      const name = NAMES[toHex(data.subarray(0, 4))];
      if (name !== undefined && !found.has(name)) found.set(name, { name, init, data: smallAmount(name, data) });
    }
  }
  return [...found.values()];
}

/** Changes the amount of a transfer to one unit. Many repetitions then do not exhaust the balance. */
function smallAmount(name: string, data: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(data);
  if (name === 'TRC20 transfer') copy.fill(0, 36).fill(1, 67);
  return copy;
}

const COMMIT_CALLS = 100;

function deployHere({ name, init, data }: Workload, interpreter: Interpreter): Deployed {
  const state = worldWith([init], { properties: { MAX_FEE_LIMIT: 10n ** 12n } });
  const { run } = callWorld(state, interpreter, { data: new Uint8Array(0), energy: ENERGY });
  if (run.exception !== undefined || run.returnData.length === 0) throw new Error(`${name} cannot be deployed here`);
  state.code.put(contractAt(0), run.returnData);
  const context = callContext(state, { data, energy: ENERGY });
  let calls = 0;
  return {
    call() {
      if (++calls % COMMIT_CALLS === 0) state.commit();
      const { run } = runContext(state, interpreter, context);
      if (run.exception !== undefined || run.isRevert) throw new Error(`${name} fails here: ${run.runtimeError}`);
      return Number(run.energyUsed);
    },
  };
}

async function deployThere({ name, init, data }: Workload): Promise<Deployed> {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Shanghai }) });
  const gasLimit = BigInt(ENERGY);
  // The caller is the contract itself, because tokens reject the address zero.
  const { createdAddress: caller } = await evm.runCall({ data: Uint8Array.of(0), gasLimit });
  if (caller === undefined) throw new Error('@ethereumjs/evm made no contract');
  const { createdAddress, execResult } = await evm.runCall({ caller, data: init, gasLimit });
  if (createdAddress === undefined || execResult.exceptionError !== undefined) {
    throw new Error(`${name} cannot be deployed in @ethereumjs/evm: ${execResult.exceptionError?.error}`);
  }
  return {
    async call() {
      const { execResult } = await evm.runCall({ caller, to: createdAddress, data, gasLimit });
      if (execResult.exceptionError !== undefined) {
        throw new Error(`${name} fails in @ethereumjs/evm: ${execResult.exceptionError.error}`);
      }
      return Number(execResult.executionGasUsed);
    },
  };
}

interface Rate {
  readonly perSecond: number;
  readonly energy: number;
}

/**
 * Measures the rates of all virtual machines in alternating turns. Uses the best turn of each, because other work on
 * the machine can only lower a rate.
 */
async function measureInTurns(all: readonly Deployed[]): Promise<Rate[]> {
  for (const one of all) await measure(one, WARM_UP_MS);
  const best = all.map((): Rate => ({ perSecond: 0, energy: 0 }));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [at, one] of all.entries()) {
      const rate = await measure(one, TURN_MS);
      if (rate.perSecond > best[at]!.perSecond) best[at] = rate;
    }
  }
  return best;
}

async function measure(deployed: Deployed, timeMs: number): Promise<Rate> {
  const started = performance.now();
  let calls = 0;
  let energy = 0;
  while (performance.now() - started < timeMs) {
    energy += await deployed.call();
    calls++;
  }
  return { perSecond: (calls * 1000) / (performance.now() - started), energy: energy / calls };
}
