import type { VmHooks } from '../../../vm/interpreter/hooks.js';
import { CallRecorder } from './call-recorder.js';
import { type FlatOptions, flatCalls } from './flat-calls.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, TracedPlace, Tracer } from './tracer.js';

/** Calls one after another, in the form of geth's `flatCallTracer`, which is Parity's. */
export class FlatCallTracer implements Tracer {
  private readonly options: FlatOptions;
  private readonly place: TracedPlace;
  private readonly calls: CallRecorder;

  constructor(options: FlatOptions, place: TracedPlace, limits: TraceLimits) {
    this.options = options;
    this.place = place;
    this.calls = new CallRecorder({ onlyTopCall: false, withLog: false }, limits);
  }

  get hooks(): VmHooks {
    return this.calls;
  }

  answer(outcome: TracedOutcome): string {
    return JSON.stringify(flatCalls(this.calls.tree(outcome), this.place, this.options));
  }
}
