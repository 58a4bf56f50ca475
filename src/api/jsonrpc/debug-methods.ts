import {
  TransactionContractContractType as ContractType,
  type TriggerSmartContract,
} from '../../log/codec/generated/messages.js';
import { EMPTY_BYTES } from '../../log/domain/bytes.js';
import type { VmRun } from '../../vm/smart-contract/execute.js';
import { replayTransaction } from '../../vm/tracing/replay-block.js';
import type { DecodedTransaction } from '../../vm/transaction.js';
import type { AddressForm } from '../java/address-text.js';
import { nullPointer } from '../java/java-error.js';
import { watchCall } from '../operations/call-contract.js';
import { pastView, stateAt, stateOfCall } from './block-choice.js';
import { type BlockContent, contentOf } from './block-results.js';
import { readCall, refusalOf } from './contract-calls.js';
import { contractAmount, contractRecipient } from './contract-values.js';
import { method, RawJson, type RpcEntry } from './envelope.js';
import type { Json } from './json-text.js';
import { anything, argumentReaders, type CallArguments, text } from './parameters.js';
import { toPlain } from './plain-json.js';
import { address20, isNothing, readHash } from './quantities.js';
import type { RpcContext } from './rpc-context.js';
import { internalError, RpcError } from './rpc-error.js';
import { createTracer } from './tracing/create-tracer.js';
import { TraceLimits } from './tracing/trace-limits.js';
import type { TracedOutcome } from './tracing/tracer.js';

/**
 * Executions looked into, in geth's forms. Past blocks are executed again, as far as the state before them is kept; in a thread of
 * its own, when the context has one.
 */
export function debugMethods(context: RpcContext): RpcEntry[] {
  const { pool, view } = context;
  return [
    method<[string | null, Json]>(
      'debug_traceTransaction',
      [text, anything],
      (id, config) =>
        pool?.rpc(view, 'debug_traceTransaction', [id, toPlain(config)]) ??
        traceTransaction(context, readHash(id, context.api.settings.release), config),
      1,
    ),
    method<[CallArguments | null, Json, Json]>(
      'debug_traceCall',
      [argumentReaders(context.api.settings.release).callArguments, anything, anything],
      (args, block, config) =>
        pool?.rpc(view, 'debug_traceCall', [args, toPlain(block), toPlain(config)]) ??
        traceCall(context, args, block, config),
      2,
    ),
  ];
}

/** @throws {RpcError} no such transaction, no state before it, a trace beyond the bounds */
function traceTransaction(context: RpcContext, id: Uint8Array, config: Json): RawJson {
  const { api } = context;
  const view = api.view(context.view);
  const place = view.transactionAt(id);
  if (place === undefined) throw internalError('transaction not found');
  if (place.number === 0) throw internalError('genesis is not traceable');
  const content = contentOf(view, place.number);
  const tracer = createTracer(config, new TraceLimits());
  const { state } = pastView(api, place.number - 1);
  const run = replayTransaction({
    state,
    block: content.block,
    index: place.index,
    blockId: (number) => (number < place.number ? view.blockIdAt(number) : undefined),
    hooks: tracer.hooks,
  });
  return new RawJson(tracer.answer(outcomeOfTransaction(context, content, place.index, run)));
}

function outcomeOfTransaction(
  { api, view }: RpcContext,
  { block, infos }: BlockContent,
  index: number,
  run: VmRun | undefined,
): TracedOutcome {
  const transaction = block.transactions[index]!;
  const { addressPrefix } = api.settings;
  const owner = (transaction.parameter as { ownerAddress?: Uint8Array }).ownerAddress ?? EMPTY_BYTES;
  return {
    energyUsed: run?.energyUsed ?? 0n,
    isFailed: run !== undefined && (run.hasException || run.isRevert),
    failure: run?.runtimeError ?? null,
    returnData: run?.returnData ?? EMPTY_BYTES,
    from: address20(owner, addressPrefix),
    to: address20(contractRecipient(transaction), addressPrefix),
    value: contractAmount(transaction, infos[index], api.view(view).state),
    input: inputOf(transaction),
  };
}

function inputOf({ contractType, parameter }: DecodedTransaction): Uint8Array {
  return contractType === ContractType.TriggerSmartContract ? (parameter as { data: Uint8Array }).data : EMPTY_BYTES;
}

/** @throws {RpcError} as `eth_call` does before the program starts; a trace beyond the bounds */
function traceCall(context: RpcContext, args: CallArguments | null, block: Json, config: Json): RawJson {
  if (args === null) throw nullPointer();
  const { api } = context;
  // Tracing has a key of its own: what `eth_call` may not look at, a trace may.
  const past = { ...context, features: { ...context.features, history: true } };
  const view = block === null ? stateAt(past, 'latest') : stateOfCall(past, block);
  const limits = new TraceLimits();
  const tracer = createTracer(config, limits);
  const message = readTracedCall(args, api.settings);
  try {
    const run = watchCall(api, view, message, { hooks: tracer.hooks, deadlineMs: limits.deadlineMs });
    const { addressPrefix } = api.settings;
    const outcome = {
      energyUsed: run.energyUsed,
      isFailed: run.message !== null,
      failure: run.exception?.text ?? null,
      returnData: run.returnData,
      from: address20(message.ownerAddress, addressPrefix),
      to: address20(message.contractAddress, addressPrefix),
      value: message.callValue,
      input: message.data,
    };
    return new RawJson(tracer.answer(outcome));
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw refusalOf(error, ['ContractValidateException', 'VMIllegalException']);
  }
}

/** Unlike `eth_call` a trace takes a creation too: a call of nobody. */
function readTracedCall(args: CallArguments, form: AddressForm): TriggerSmartContract {
  if (!isNothing(args.to)) return readCall(args, form);
  const message = readCall({ ...args, to: args.from }, form);
  message.contractAddress = EMPTY_BYTES;
  return message;
}
