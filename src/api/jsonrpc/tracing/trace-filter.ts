import { heightOfTag } from '../block-choice.js';
import { callMembersOf, readWhole } from '../ethereum/call-arguments.js';
import type { Json } from '../json-text.js';
import type { RpcContext } from '../methods/rpc-context.js';
import type { RpcForm } from '../quantities.js';
import { data, readHexAddress } from '../quantities.js';
import { exceedsLimit, internalError, invalidParams } from '../rpc-error.js';
import { blockTagOf } from './block-tag.js';
import type { FlatCall } from './flat-calls.js';

/** Maximum number of blocks per request. Each of them may have to be executed again. */
export const FILTER_BLOCKS_MAX = 1_000;
/** Maximum number of calls per response. java-tron has the same limit for logs. */
export const FILTER_CALLS_MAX = 10_000;
/** Maximum number of addresses in each of `fromAddress` and `toAddress`. */
const ADDRESSES_MAX = 1_000;
const DIGITS_MAX = 9;
const KNOWN = ['fromBlock', 'toBlock', 'fromAddress', 'toAddress', 'mode', 'after', 'count'];

/** A parsed filter for blocks and calls. */
interface TraceFilter {
  readonly from: number;
  readonly to: number;
  /** Number of matching calls to skip. */
  readonly after: number;
  readonly count: number;
  matches(call: FlatCall): boolean;
}

/** Reads a filter in the form of Erigon's `trace_filter`. @throws {RpcError} the filter is malformed */
export function readTraceFilter(context: RpcContext, value: Json): TraceFilter {
  const members = callMembersOf(value, 'a filter', KNOWN);
  const { settings } = context.api;
  const height = (name: string, fallback: string): number => {
    const found = heightOfTag(context, blockTagOf(members.get(name) ?? fallback));
    if (found === undefined) throw internalError('block not found');
    return found;
  };
  const [from, to] = [height('fromBlock', 'earliest'), height('toBlock', 'latest')];
  if (from > to) throw invalidParams('invalid parameters: fromBlock cannot be greater than toBlock');
  if (to - from >= FILTER_BLOCKS_MAX)
    throw exceedsLimit(`trace filter covers ${to - from + 1} blocks; the maximum is ${FILTER_BLOCKS_MAX}`);
  const whole = (name: string, fallback: number): number => {
    const member = members.get(name) ?? null;
    return member === null ? fallback : readWhole(member, DIGITS_MAX, name);
  };
  const mode = members.get('mode') ?? 'union';
  if (mode !== 'union' && mode !== 'intersection') throw invalidParams('invalid mode; use union or intersection');
  const [senders, receivers] = ['fromAddress', 'toAddress'].map((name) => addresses(members.get(name), name, settings));
  return {
    from,
    to,
    after: whole('after', 0),
    count: whole('count', Number.POSITIVE_INFINITY),
    matches: (call) => matches(call, senders, receivers, mode === 'union'),
  };
}

/**
 * Reads a list of addresses. Returns undefined if every address matches.
 * @throws {RpcError} the list is malformed or too long
 */
function addresses(value: Json | undefined, name: string, form: RpcForm): ReadonlySet<string> | undefined {
  const selected = value ?? null;
  if (selected === null) return undefined;
  const list: readonly Json[] = Array.isArray(selected) ? selected : [selected];
  if (list.length > ADDRESSES_MAX) throw exceedsLimit(`too many addresses in ${name}; the maximum is ${ADDRESSES_MAX}`);
  if (list.length === 0) return undefined;
  return new Set(
    list.map((address) => {
      if (typeof address !== 'string') throw invalidParams(`invalid ${name}`);
      return data(readHexAddress(address, form).subarray(1));
    }),
  );
}

function matches(
  call: FlatCall,
  senders: ReadonlySet<string> | undefined,
  receivers: ReadonlySet<string> | undefined,
  isUnion: boolean,
): boolean {
  if (senders === undefined && receivers === undefined) return true;
  const [from, to] = sidesOf(call);
  const isFrom = senders?.has(from) ?? !isUnion;
  const isTo = receivers?.has(to) ?? !isUnion;
  return isUnion ? isFrom || isTo : isFrom && isTo;
}

/**
 * Returns the sender and receiver. The receiver of a creation is the new contract. The receiver of a self-destruct is
 * the account that receives the balance.
 */
function sidesOf({ action, result, type }: FlatCall): readonly [from: string, to: string] {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  if (type === 'suicide') return [text(action['address']), text(action['refundAddress'])];
  const made = result as { readonly address?: string } | null | undefined;
  return [text(action['from']), text(type === 'create' ? made?.address : action['to'])];
}
