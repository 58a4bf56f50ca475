import type { VmHooks } from '../../../vm/machine/hooks.js';
import { CallRecorder } from './call-recorder.js';
import { type FlatCall, type FlatOptions, flatCalls } from './flat-calls.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, TracedPosition, Tracer } from './tracer.js';

/** Prints the calls as a flat list, in the form of geth's `flatCallTracer` (the Parity format). */
export class FlatCallTracer implements Tracer {
  private readonly options: FlatOptions;
  private readonly position: TracedPosition | undefined;
  private readonly calls: CallRecorder;

  /** @param position position that is printed with each call; undefined to print none */
  constructor(options: FlatOptions, position: TracedPosition | undefined, limits: TraceLimits) {
    this.options = options;
    this.position = position;
    this.calls = new CallRecorder({ onlyTopCall: false, withLog: false }, limits);
  }

  get hooks(): VmHooks {
    return this.calls;
  }

  flatCalls(outcome: TracedOutcome): readonly FlatCall[] {
    return flatCalls(this.calls.tree(outcome), this.position, this.options);
  }

  answer(outcome: TracedOutcome): string {
    return JSON.stringify(this.flatCalls(outcome));
  }
}
