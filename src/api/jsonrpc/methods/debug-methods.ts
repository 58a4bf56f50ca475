import { itemAt, present } from '../../../primitives/assert.js';
import { heightOfTag } from '../block-choice.js';
import type { BlockWithReceipts } from '../block-content.js';
import { RawJson, type RpcEntry, rpcMethod } from '../envelope.js';
import type { Json } from '../json-text.js';
import { anyParameter, type CallArguments, textParameter } from '../parameters.js';
import { toPlain } from '../plain-json.js';
import { data, readHash } from '../quantities.js';
import { internalError, invalidParams } from '../rpc-error.js';
import { blockTagOf } from '../tracing/block-tag.js';
import { CALL_OPTIONS, createTracer, NOWHERE, traceOption } from '../tracing/create-tracer.js';
import { TraceLimits } from '../tracing/trace-limits.js';
import { storedTracedBlock, traceBlock } from '../tracing/traced-block.js';
import { type AnyCall, anyCall, callArguments, plainCall, runTraced } from '../tracing/traced-call.js';
import type { Tracer } from '../tracing/tracer.js';
import type { RpcContext } from './rpc-context.js';

/**
 * Returns the `debug_trace…` methods in geth's forms. They execute past blocks again, so they need the state before
 * the block. If there is a call pool (worker threads), they run in it.
 */
export function debugMethods(context: RpcContext): RpcEntry[] {
  const { pool, view } = context;
  const { release } = context.api.settings;
  return [
    rpcMethod<[string | null, Json]>(
      'debug_traceTransaction',
      [textParameter, anyParameter],
      (id, config) =>
        pool?.rpc(view, 'debug_traceTransaction', [id, toPlain(config)]) ??
        traceTransaction(context, readHash(id, release), config),
      1,
    ),
    rpcMethod<[AnyCall, Json, Json]>(
      'debug_traceCall',
      [anyCall(context), anyParameter, anyParameter],
      (args, block, config) =>
        pool?.rpc(view, 'debug_traceCall', [plainCall(args), toPlain(block), toPlain(config)]) ??
        traceCall(context, callArguments(args), block, config),
      2,
    ),
    rpcMethod<[Json, Json]>(
      'debug_traceBlockByNumber',
      [anyParameter, anyParameter],
      (block, config) =>
        pool?.rpc(view, 'debug_traceBlockByNumber', [toPlain(block), toPlain(config)]) ??
        traceWholeBlock(context, heightOfTag(context, blockTagOf(block)), config),
      1,
    ),
    rpcMethod<[string | null, Json]>(
      'debug_traceBlockByHash',
      [textParameter, anyParameter],
      (hash, config) =>
        pool?.rpc(view, 'debug_traceBlockByHash', [hash, toPlain(config)]) ??
        traceWholeBlock(context, context.api.view(view).numberOf(readHash(hash, release)), config),
      1,
    ),
  ];
}

/**
 * Traces one transaction.
 * @throws {RpcError} the transaction or the state before it does not exist, or a limit is exceeded
 */
function traceTransaction(context: RpcContext, id: Uint8Array, config: Json): RawJson {
  const view = context.api.view(context.view);
  const place = view.transactionAt(id);
  if (place === undefined) throw internalError('transaction not found');
  const content = traceable(context, place.number);
  const limits = new TraceLimits();
  const tracerOf = (at: typeof NOWHERE): Tracer => createTracer(config, { limits, place: at });
  const [answer] = traceBlock(context, content, { first: place.index, last: place.index, tracerOf });
  return new RawJson(present(answer, 'one transaction was traced'));
}

/**
 * Traces all transactions of a block.
 * @throws {RpcError} the block or the state before it does not exist, or a limit is exceeded
 */
function traceWholeBlock(context: RpcContext, number: number | undefined, config: Json): RawJson {
  if (number === undefined) throw internalError('block not found');
  const content = traceable(context, number);
  const { transactions } = content.decoded;
  const limits = new TraceLimits();
  const tracerOf = (at: typeof NOWHERE): Tracer => createTracer(config, { limits, place: at });
  const answers = traceBlock(context, content, { first: 0, last: transactions.length - 1, tracerOf });
  const shown = answers.map((answer, at) => `{"txHash":"${data(itemAt(transactions, at).id)}","result":${answer}}`);
  return new RawJson(`[${shown.join(',')}]`);
}

/**
 * Returns a block that can be traced.
 * @throws {RpcError} the block is not stored, or is genesis, whose transactions are not executed
 */
function traceable(context: RpcContext, number: number): BlockWithReceipts {
  if (number === 0) throw internalError('genesis is not traceable');
  return storedTracedBlock(context, number);
}

/** Traces a call that is not a transaction. @throws {RpcError} the call cannot start, or a limit is exceeded */
function traceCall(context: RpcContext, args: CallArguments, block: Json, config: Json): RawJson {
  const limits = new TraceLimits();
  const tracer = createTracer(config, { limits, place: NOWHERE }, CALL_OPTIONS);
  return new RawJson(runTraced(context, args, { block, tracer, limits, ...overridesOf(config) }));
}

function overridesOf(config: Json) {
  if (traceOption(config, 'txIndex') !== null) throw invalidParams('txIndex is not supported');
  return {
    stateOverrides: traceOption(config, 'stateOverrides'),
    blockOverrides: traceOption(config, 'blockOverrides'),
  };
}
