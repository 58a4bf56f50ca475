import { present } from '../../../primitives/assert.js';
import { heightOfTag } from '../block-choice.js';
import type { BlockWithReceipts } from '../block-content.js';
import { RawJson, type RpcEntry, rpcMethod } from '../envelope.js';
import type { Json } from '../json-text.js';
import { anyParameter, textParameter } from '../parameters.js';
import { toPlain } from '../plain-json.js';
import { readHash } from '../quantities.js';
import { exceedsLimit, internalError } from '../rpc-error.js';
import { blockTagOf } from '../tracing/block-tag.js';
import { FlatCallTracer } from '../tracing/flat-call-tracer.js';
import type { FlatCall } from '../tracing/flat-calls.js';
import { ERIGON, ReplayTracer, readReplayKinds } from '../tracing/replay-tracer.js';
import { FILTER_CALLS_MAX, readTraceFilter } from '../tracing/trace-filter.js';
import { TraceLimits } from '../tracing/trace-limits.js';
import { hasProgram, outcomeOf, storedTracedBlock, traceBlock, tracedPositionOf } from '../tracing/traced-block.js';
import { type AnyCall, anyCall, callArguments, plainCall, runTraced } from '../tracing/traced-call.js';
import type { RpcContext } from './rpc-context.js';

/**
 * Returns the `trace_…` methods. Responses have Erigon's form, which follows Parity's. The limits are those of
 * `debug_trace…`.
 */
export function traceMethods(context: RpcContext): RpcEntry[] {
  const { pool, view } = context;
  const { release } = context.api.settings;
  return [
    rpcMethod<[Json]>(
      'trace_block',
      [anyParameter],
      (block) => pool?.rpc(view, 'trace_block', [toPlain(block)]) ?? callsOfBlock(context, block),
    ),
    rpcMethod<[string | null]>(
      'trace_transaction',
      [textParameter],
      (id) => pool?.rpc(view, 'trace_transaction', [id]) ?? callsOfTransaction(context, readHash(id, release)),
    ),
    rpcMethod<[Json]>(
      'trace_filter',
      [anyParameter],
      (filter) => pool?.rpc(view, 'trace_filter', [toPlain(filter)]) ?? filterCalls(context, filter),
    ),
    rpcMethod<[AnyCall, Json, Json]>(
      'trace_call',
      [anyCall(context), anyParameter, anyParameter],
      (args, kinds, block) =>
        pool?.rpc(view, 'trace_call', [plainCall(args), toPlain(kinds), toPlain(block)]) ??
        replayCall(context, args, kinds, block),
      1,
    ),
    rpcMethod<[string | null, Json]>(
      'trace_replayTransaction',
      [textParameter, anyParameter],
      (id, kinds) =>
        pool?.rpc(view, 'trace_replayTransaction', [id, toPlain(kinds)]) ??
        replayTransaction(context, readHash(id, release), kinds),
    ),
    rpcMethod<[Json, Json]>(
      'trace_replayBlockTransactions',
      [anyParameter, anyParameter],
      (block, kinds) =>
        pool?.rpc(view, 'trace_replayBlockTransactions', [toPlain(block), toPlain(kinds)]) ??
        replayWholeBlock(context, block, kinds),
    ),
  ];
}

/**
 * Returns the calls of all transactions of a block.
 * @throws {RpcError} the block or the state before it does not exist, or a limit is exceeded
 */
function callsOfBlock(context: RpcContext, block: Json): readonly FlatCall[] {
  return callsOf(context, contentAt(context, block), new TraceLimits());
}

/**
 * Returns the calls of a transaction, or null if no block contains it.
 * @throws {RpcError} the state before the transaction is not stored, or a limit is exceeded
 */
function callsOfTransaction(context: RpcContext, id: Uint8Array): readonly FlatCall[] | null {
  const view = context.api.view(context.view);
  const place = view.transactionAt(id);
  if (place === undefined) return null;
  const { index } = place;
  return callsOf(context, storedTracedBlock(context, place.number), new TraceLimits(), { first: index, last: index });
}

/**
 * Returns the calls in a range of blocks that match a filter.
 * @throws {RpcError} the range or the response is too large, or the state before a block that must be executed is not
 * stored
 */
function filterCalls(context: RpcContext, value: Json): readonly FlatCall[] {
  const { from, to, after, count, matches } = readTraceFilter(context, value);
  const limits = new TraceLimits({ what: 'trace filter' });
  const found: FlatCall[] = [];
  let matched = 0;
  for (let number = from; number <= to && found.length < count; number++) {
    limits.checkTime();
    for (const call of callsOf(context, storedTracedBlock(context, number), limits)) {
      if (!matches(call) || matched++ < after || found.length >= count) continue;
      if (found.length >= FILTER_CALLS_MAX)
        throw exceedsLimit(`more than ${FILTER_CALLS_MAX} calls match; use count and after, or request fewer blocks`);
      found.push(call);
    }
  }
  return found;
}

/**
 * Returns the calls of the transactions of a block. With `part`, returns only the calls of the transactions from
 * index `first` to `last`. Genesis has no calls, because genesis is not executed.
 */
function callsOf(
  context: RpcContext,
  content: BlockWithReceipts,
  limits: TraceLimits,
  part: { readonly first: number; readonly last: number } = { first: 0, last: content.transactionCount - 1 },
): readonly FlatCall[] {
  const { decoded: block } = content;
  if (block.number === 0) return [];
  const { first, last } = part;
  const transactions = block.transactions.slice(first, last + 1);
  const calls: FlatCall[] = [];
  const add = (more: readonly FlatCall[]): void => {
    for (const call of more) calls.push(call);
  };
  if (!transactions.some(hasProgram)) {
    // A transaction without a smart contract contains all data of its trace, so it is not executed.
    for (let at = first; at <= last; at++)
      add(
        new FlatCallTracer(ERIGON, tracedPositionOf(content, at), limits).flatCalls(
          outcomeOf(context, content, at, undefined),
        ),
      );
    return calls;
  }
  traceBlock(context, content, {
    ...part,
    tracerOf: (place) => {
      const tracer = new FlatCallTracer(ERIGON, place, limits);
      const answer: FlatCallTracer['answer'] = (outcome) => {
        add(tracer.flatCalls(outcome));
        return '';
      };
      return { hooks: tracer.hooks, answer };
    },
  });
  return calls;
}

function contentAt(context: RpcContext, block: Json): BlockWithReceipts {
  const number = heightOfTag(context, blockTagOf(block));
  if (number === undefined) throw internalError('block not found');
  return storedTracedBlock(context, number);
}

/** Traces a call that is not a transaction. @throws {RpcError} the call cannot start, or a limit is exceeded */
function replayCall(context: RpcContext, args: AnyCall, kinds: Json, block: Json): RawJson {
  const limits = new TraceLimits();
  const tracer = new ReplayTracer(readReplayKinds(kinds), null, limits);
  const call = { block, tracer, limits, stateOverrides: null, blockOverrides: null };
  return new RawJson(runTraced(context, callArguments(args), call));
}

/**
 * Executes a transaction again and returns the requested traces.
 * @throws {RpcError} the transaction or the state before it does not exist, or a limit is exceeded
 */
function replayTransaction(context: RpcContext, id: Uint8Array, traceKinds: Json): RawJson {
  const view = context.api.view(context.view);
  const place = view.transactionAt(id);
  if (place === undefined || place.number === 0) throw internalError('transaction not found');
  const { index } = place;
  const [answer] = replays(context, storedTracedBlock(context, place.number), traceKinds, {
    first: index,
    last: index,
  });
  return new RawJson(present(answer, 'one transaction was replayed'));
}

/**
 * Executes a block again and returns the requested traces of each transaction.
 * @throws {RpcError} the block or the state before it does not exist, or a limit is exceeded
 */
function replayWholeBlock(context: RpcContext, block: Json, traceKinds: Json): RawJson {
  const content = contentAt(context, block);
  if (content.block.number === 0) return new RawJson('[]');
  const all = { first: 0, last: content.transactionCount - 1 };
  return new RawJson(`[${replays(context, content, traceKinds, all).join(',')}]`);
}

function replays(
  context: RpcContext,
  content: BlockWithReceipts,
  traceKinds: Json,
  part: { readonly first: number; readonly last: number },
): string[] {
  const kinds = readReplayKinds(traceKinds);
  const limits = new TraceLimits();
  return traceBlock(context, content, {
    ...part,
    tracerOf: ({ transactionHash }) => new ReplayTracer(kinds, transactionHash, limits),
  });
}
