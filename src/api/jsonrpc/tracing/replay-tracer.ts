import type { VmHooks } from '../../../vm/machine/hooks.js';
import type { Json } from '../json-text.js';
import { data } from '../quantities.js';
import { invalidParams } from '../rpc-error.js';
import { FlatCallTracer } from './flat-call-tracer.js';
import type { FlatOptions } from './flat-calls.js';
import { MuxTracer } from './mux-tracer.js';
import { StateDiffTracer } from './state-diff-tracer.js';
import type { TraceLimits } from './trace-limits.js';
import type { Effects, TracedOutcome, Tracer } from './tracer.js';

/** Options for printing calls as Erigon does. */
export const ERIGON: FlatOptions = { convertsErrors: true, includesPrecompiles: false, showsNoResult: true };

/** Trace types that a replay request selects. */
interface ReplayKinds {
  readonly trace: boolean;
  readonly stateDiff: boolean;
}

/** Reads the list of trace types. @throws {RpcError} an item is neither `trace` nor `stateDiff` */
export function readReplayKinds(kinds: Json): ReplayKinds {
  if (!Array.isArray(kinds)) throw invalidParams('trace types must be a list');
  const names: readonly Json[] = kinds;
  for (const name of names) {
    if (name === 'vmTrace') throw invalidParams('vmTrace is not supported; use debug_traceTransaction for opcodes');
    if (name !== 'trace' && name !== 'stateDiff') throw invalidParams('unknown trace type; use trace or stateDiff');
  }
  return { trace: names.includes('trace'), stateDiff: names.includes('stateDiff') };
}

/** Prints the calls and the state changes of a run, in the form of Parity's methods `trace_replay…`. */
export class ReplayTracer implements Tracer {
  private readonly transactionHash: string | null;
  private readonly trace: FlatCallTracer | undefined;
  private readonly stateDiff: StateDiffTracer | undefined;
  private readonly both: MuxTracer;

  /** @param transactionHash hash to print; null for a call that is not a transaction */
  constructor(kinds: ReplayKinds, transactionHash: string | null, limits: TraceLimits) {
    this.transactionHash = transactionHash;
    this.trace = kinds.trace ? new FlatCallTracer(ERIGON, undefined, limits) : undefined;
    this.stateDiff = kinds.stateDiff ? new StateDiffTracer(limits) : undefined;
    const all = [...(this.trace ? [this.trace] : []), ...(this.stateDiff ? [this.stateDiff] : [])];
    this.both = new MuxTracer(new Map(all.map((tracer, at) => [String(at), tracer])));
  }

  get hooks(): VmHooks {
    return this.both.hooks;
  }

  answer(outcome: TracedOutcome, effects: Effects): string {
    const stateDiff = this.stateDiff?.answer(outcome, effects) ?? 'null';
    const trace = this.trace?.answer(outcome) ?? '[]';
    const hash = this.transactionHash === null ? '' : `,"transactionHash":"${this.transactionHash}"`;
    return `{"output":"${data(outcome.returnData)}","stateDiff":${stateDiff},"trace":${trace},"vmTrace":null${hash}}`;
  }
}
