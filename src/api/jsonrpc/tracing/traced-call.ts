import type { TriggerSmartContract } from '../../../codec/generated/messages.js';
import { nullPointer } from '../../../java-compat/java-error.js';
import { EMPTY_BYTES } from '../../../primitives/bytes.js';
import { simulateCall } from '../../operations/simulate-call.js';
import { stateNamed } from '../block-choice.js';
import { readBlockOverrides } from '../ethereum/block-overrides.js';
import { readEthereumCall } from '../ethereum/call-arguments.js';
import { gasOf } from '../ethereum/calls.js';
import { readStateOverrides, withOverrides } from '../ethereum/state-overrides.js';
import type { Json } from '../json-text.js';
import { readCall, refusalOf } from '../methods/contract-calls.js';
import type { RpcContext } from '../methods/rpc-context.js';
import { anyParameter, argumentReaders, type CallArguments, type ReadParameter } from '../parameters.js';
import { toPlain } from '../plain-json.js';
import type { RpcForm } from '../quantities.js';
import { address20, isNothing } from '../quantities.js';
import { RpcError } from '../rpc-error.js';
import type { TraceLimits } from './trace-limits.js';
import type { Tracer } from './tracer.js';

/**
 * Call arguments as received. They are either java-tron's parsed argument object, or the JSON that an Ethereum tool
 * sent.
 */
export type AnyCall = CallArguments | Json;

/** Returns the reader for the arguments of a traced call. */
export function anyCall({ api, features }: RpcContext): ReadParameter<AnyCall> {
  return features.ethereum ? anyParameter : argumentReaders(api.settings.release).callArguments;
}

/** Returns the arguments in a form that can be sent to a worker thread. */
export function plainCall(args: AnyCall): unknown {
  return isBean(args) ? args : toPlain(args);
}

/** Converts received arguments to call arguments. @throws {RpcError | JavaError} the arguments are malformed */
export function callArguments(args: AnyCall): CallArguments {
  if (args === null) throw nullPointer();
  return isBean(args) ? args : readEthereumCall(args);
}

/** Returns true for java-tron's parsed argument object. A parsed JSON object is a Map, which has no property `from`. */
function isBean(args: AnyCall): args is CallArguments {
  return typeof args === 'object' && args !== null && 'from' in args;
}

interface TracedCall {
  readonly block: Json;
  readonly tracer: Tracer;
  readonly limits: TraceLimits;
  readonly stateOverrides: Json;
  readonly blockOverrides: Json;
}

/**
 * Executes a call that is not a transaction.
 * @returns the result of the tracer
 * @throws {RpcError} the call cannot start, or a limit is exceeded
 */
export function runTraced(context: RpcContext, args: CallArguments, call: TracedCall): string {
  const { api } = context;
  const { settings } = api;
  const { tracer, limits } = call;
  // Tracing has its own configuration key, so it may use past states even without the feature `history`.
  const past = { ...context, features: { ...context.features, history: true } };
  const view = stateNamed(past, call.block);
  const { state } = view;
  const message = readTracedCall(args, settings);
  const overrides = readBlockOverrides(call.blockOverrides, settings);
  try {
    return withOverrides(state, readStateOverrides(call.stateOverrides, settings), () => {
      const before = state.mark();
      try {
        const run = simulateCall(api, view, message, {
          hooks: tracer.hooks,
          deadline: limits.deadline,
          energyMax: gasOf(args, api),
          block: overrides,
        });
        const outcome = {
          energyUsed: run.energyUsed,
          isFailed: run.message !== null,
          failure: run.exception?.text ?? null,
          returnData: run.returnData,
          from: address20(message.ownerAddress, settings.addressPrefix),
          to: address20(message.contractAddress, settings.addressPrefix),
          value: message.callValue,
          input: message.data,
        };
        return tracer.answer(outcome, { state, before });
      } finally {
        state.revertTo(before);
      }
    });
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw refusalOf(error, ['ContractValidateException', 'VMIllegalException']);
  }
}

/**
 * Converts call arguments to a contract call. Arguments without a receiver become a contract creation, which `eth_call`
 * does not allow.
 */
function readTracedCall(args: CallArguments, form: RpcForm): TriggerSmartContract {
  if (!isNothing(args.to)) return readCall(args, form);
  const message = readCall({ ...args, to: args.from }, form);
  message.contractAddress = EMPTY_BYTES;
  return message;
}
