import {
  TransactionContractContractType as ContractType,
  type TriggerSmartContract,
} from '../../log/codec/generated/messages.js';
import { min64 } from '../../log/domain/int64.js';
import { refuse } from '../../vm/errors.js';
import type { VmHooks } from '../../vm/interpreter/hooks.js';
import { type SimulatedRun, simulateCall } from '../../vm/smart-contract/simulate.js';
import type { BlockContext } from '../../vm/transaction.js';
import type { ApiContext, ChainView } from '../api-context.js';
import { buildTransaction } from './build-transaction.js';
import { callOf, contextOf, type SeenBlock } from './call-contract.js';

export interface SimulationOptions {
  readonly hooks?: VmHooks | undefined;
  /** Clock, ms since 1970, at which a program ends: watching takes longer than the rules give a call. */
  readonly deadlineMs: number;
  /** Energy that the caller sets; bounded by the node's own. */
  readonly energyMax?: bigint | undefined;
  /** What the call sees of its block, where it is not the view's head. */
  readonly block?: SeenBlock | BlockContext | undefined;
  /** Id of a block by height, where the chain that the call sees is another. */
  readonly blockId?: ((number: number) => Uint8Array | undefined) | undefined;
  /** Time of the transaction that it would be, ms: it makes calls that are the same otherwise differ. */
  readonly timeMs?: bigint | undefined;
}

/** A simulated call with the id of the transaction that it would be. */
export interface Simulated {
  readonly run: SimulatedRun;
  readonly id: Uint8Array;
}

/**
 * Runs a call, a creation or a transfer whose effects stay in the view's state: the caller takes them back, in the same turn.
 * @throws {ChainError} a call that may not start; what a watcher throws. A failure inside is in the result
 */
export function simulate(
  api: ApiContext,
  view: ChainView,
  message: TriggerSmartContract,
  { hooks, deadlineMs, energyMax, block, blockId, timeMs }: SimulationOptions,
): Simulated {
  if (!api.settings.supportsConstant) refuse('this node does not support constant');
  const transaction = buildTransaction(api, view, ContractType.TriggerSmartContract, message);
  if (timeMs !== undefined) transaction.rawData!.timestamp = timeMs;
  const call = callOf(message, transaction);
  const context = contextOf(view);
  const own = api.settings.constantEnergyMax;
  const run = simulateCall(
    view.state,
    call,
    { block: { ...context.block, ...block }, blockId: blockId ?? context.blockId, hooks },
    { energy: energyMax === undefined ? own : min64(energyMax, own), deadlineMs },
  );
  return { run, id: call.transactionId() };
}
