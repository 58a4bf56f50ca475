import { heightOfTag } from '../block-choice.js';
import { callMembersOf, readWhole } from '../ethereum/call-arguments.js';
import type { Json } from '../json-text.js';
import type { RpcContext } from '../methods/rpc-context.js';
import type { RpcForm } from '../quantities.js';
import { data, readHexAddress } from '../quantities.js';
import { exceedsLimit, internalError, invalidParams } from '../rpc-error.js';
import { blockTagOf } from './block-tag.js';
import type { FlatCall } from './flat-calls.js';

/** Blocks of one question: each may have to be executed again. */
export const FILTER_BLOCKS_MAX = 1_000;
/** Calls of one answer: as many as java-tron answers logs. */
export const FILTER_CALLS_MAX = 10_000;
/** Addresses of each side. */
const ADDRESSES_MAX = 1_000;
const DIGITS_MAX = 9;

/** Which calls of which blocks are asked for. */
interface TraceFilter {
  readonly from: number;
  readonly to: number;
  /** Calls that match and are left out before the first one that is shown. */
  readonly after: number;
  readonly count: number;
  isWanted(call: FlatCall): boolean;
}

/** In the form of Erigon's `trace_filter`. @throws {RpcError} */
export function readTraceFilter(context: RpcContext, value: Json): TraceFilter {
  const members = callMembersOf(value, 'a filter');
  const { settings } = context.api;
  const height = (name: string, unsaid: string): number => {
    const found = heightOfTag(context, blockTagOf(members.get(name) ?? unsaid));
    if (found === undefined) throw internalError('block not found');
    return found;
  };
  const [from, to] = [height('fromBlock', 'earliest'), height('toBlock', 'latest')];
  if (from > to) throw invalidParams('invalid parameters: fromBlock cannot be greater than toBlock');
  if (to - from >= FILTER_BLOCKS_MAX)
    throw exceedsLimit(`a filter may cover ${FILTER_BLOCKS_MAX} blocks, not ${to - from + 1}`);
  const whole = (name: string, unsaid: number): number => {
    const given = members.get(name) ?? null;
    return given === null ? unsaid : readWhole(given, DIGITS_MAX, name);
  };
  const mode = members.get('mode') ?? 'union';
  if (mode !== 'union' && mode !== 'intersection') throw invalidParams('the modes are union and intersection');
  const [senders, receivers] = ['fromAddress', 'toAddress'].map((name) => addresses(members.get(name), name, settings));
  return {
    from,
    to,
    after: whole('after', 0),
    count: whole('count', Number.POSITIVE_INFINITY),
    isWanted: (call) => matches(call, senders, receivers, mode === 'union'),
  };
}

/** Undefined for any. @throws {RpcError} */
function addresses(value: Json | undefined, name: string, form: RpcForm): ReadonlySet<string> | undefined {
  const given = value ?? null;
  if (given === null) return undefined;
  const list: readonly Json[] = Array.isArray(given) ? given : [given];
  if (list.length > ADDRESSES_MAX) throw exceedsLimit(`${name} may have ${ADDRESSES_MAX} addresses`);
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

/** Who calls and who is called; a creation calls what it makes, a destroyed contract whom it leaves all to. */
function sidesOf({ action, result, type }: FlatCall): readonly [from: string, to: string] {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  if (type === 'suicide') return [text(action['address']), text(action['refundAddress'])];
  const made = result as { readonly address?: string } | null | undefined;
  return [text(action['from']), text(type === 'create' ? made?.address : action['to'])];
}
