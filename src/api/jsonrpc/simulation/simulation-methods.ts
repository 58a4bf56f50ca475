import { TransactionInfo } from '../../../codec/generated/messages.js';
import { itemAt, present } from '../../../primitives/assert.js';
import { decodeBlock } from '../../../state-transition/block/decoded-block.js';
import { stateNamed } from '../block-choice.js';
import { contentOfDecoded } from '../block-content.js';
import { blockText, logResult } from '../block-results.js';
import { RawJson, type RpcEntry, rpcMethod } from '../envelope.js';
import { readEthereumCall } from '../ethereum/call-arguments.js';
import { callFailureOf } from '../ethereum/calls.js';
import type { Json } from '../json-text.js';
import { printContext, type RpcContext } from '../methods/rpc-context.js';
import { anyParameter } from '../parameters.js';
import { toPlain } from '../plain-json.js';
import { data, quantity } from '../quantities.js';
import { REVERT_CODE } from '../rpc-error.js';
import { AccessListTracer } from '../tracing/access-list-tracer.js';
import { TraceLimits } from '../tracing/trace-limits.js';
import { runTraced } from '../tracing/traced-call.js';
import { readSimulation, SimulationCode } from './read-simulation.js';
import { type SimulatedBlock, type SimulatedCall, simulateBlocks } from './simulate-blocks.js';

/** Returns the methods `eth_simulateV1` and `eth_createAccessList`, with responses in geth's forms. */
export function simulationMethods(context: RpcContext): RpcEntry[] {
  const { pool, view } = context;
  return [
    rpcMethod<[Json, Json]>(
      'eth_simulateV1',
      [anyParameter, anyParameter],
      (simulation, block) =>
        pool?.rpc(view, 'eth_simulateV1', [toPlain(simulation), toPlain(block)]) ??
        simulate(context, simulation, block),
      1,
    ),
    rpcMethod<[Json, Json, Json]>(
      'eth_createAccessList',
      [anyParameter, anyParameter, anyParameter],
      (call, block, overrides) =>
        pool?.rpc(view, 'eth_createAccessList', [call, block, overrides].map(toPlain)) ??
        accessList(context, call, { block, stateOverrides: overrides }),
      2,
    ),
  ];
}

/**
 * Runs a call and returns the addresses and slots that the call accesses.
 * @throws {RpcError} the call cannot start, or a limit is exceeded
 */
function accessList(
  context: RpcContext,
  call: Json,
  at: { readonly block: Json; readonly stateOverrides: Json },
): RawJson {
  const limits = new TraceLimits();
  const tracer = new AccessListTracer(limits);
  return new RawJson(runTraced(context, readEthereumCall(call), { ...at, blockOverrides: null, tracer, limits }));
}

/**
 * Runs the simulated blocks and returns their results.
 * @throws {RpcError} a parameter is malformed, a call cannot start, or a limit is exceeded
 */
function simulate(context: RpcContext, simulation: Json, block: Json): RawJson {
  const { api } = context;
  const view = stateNamed(context, block);
  const { number, timeMs } = decodeBlock(present(view.block(view.headNumber), 'a view has a head block').block);
  const base = { number, timeMs, slotMs: view.state.rules.slotMs };
  const request = readSimulation(simulation, base, api.settings);
  const blocks = simulateBlocks(api, view, request, new TraceLimits({ what: 'simulation' }));
  const print = printContext(context);
  // Without `validation`, senders do not pay for energy, so the energy price is 0.
  const changed = request.validation ? {} : { baseFeePerGas: '0x0' };
  const texts = blocks.map((each) => {
    const content = contentOfDecoded(each.block, each.infos);
    return blockText(content, request.returnFullTransactions, print, { changed, added: { calls: callResults(each) } });
  });
  return new RawJson(`[${texts.map(({ text }) => text).join(',')}]`);
}

function callResults({ block, infos, calls }: SimulatedBlock): readonly object[] {
  const infosWithLogs = infos.map(({ id, blockTimeStamp }, at) =>
    Object.assign(new TransactionInfo(), { id, blockTimeStamp, log: itemAt(calls, at).logs }),
  );
  let logIndex = 0;
  return calls.map((call, transaction) => {
    const hasFailed = call.run.message !== null;
    const logs = hasFailed
      ? []
      : call.logs.map((_, at) =>
          logResult(
            { block, infos: infosWithLogs },
            { transaction, at, logIndex: logIndex++, removed: false, hasTime: true },
          ),
        );
    return callResult(call, logs);
  });
}

function callResult({ run }: SimulatedCall, logs: readonly object[]): object {
  const failure = callFailureOf(run);
  const used = quantity(run.energyUsed);
  const returnData = data(failure === undefined || run.isRevert ? run.returnData : new Uint8Array(0));
  const shown = { returnData, logs, gasUsed: used, maxUsedGas: used };
  if (failure === undefined) return { ...shown, status: '0x1' };
  const error = run.isRevert
    ? { code: REVERT_CODE, message: failure.text, data: failure.data }
    : { code: SimulationCode.VM_ERROR, message: failure.text };
  return { ...shown, status: '0x0', error };
}
