import { toHex } from '../../../primitives/bytes.js';
import { SELECTOR_BYTES } from '../../../primitives/units.js';
import type { VmHooks } from '../../../vm/machine/hooks.js';
import { CallRecorder } from './call-recorder.js';
import type { SeenCall } from './seen-call.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, Tracer } from './tracer.js';

/**
 * Counts calls by function selector and argument size, in the form of geth's `4byteTracer`. Ignores contract creations.
 */
export class FourByteTracer implements Tracer {
  private readonly calls: CallRecorder;

  constructor(limits: TraceLimits) {
    this.calls = new CallRecorder({ onlyTopCall: false, withLog: false }, limits);
  }

  get hooks(): VmHooks {
    return this.calls;
  }

  answer(outcome: TracedOutcome): string {
    const counts = new Map<string, number>();
    const left: SeenCall[] = [this.calls.tree(outcome)];
    for (let call = left.pop(); call !== undefined; call = left.pop()) {
      for (const inner of call.calls) left.push(inner);
      const { type, input } = call;
      if (!type.includes('CALL') || input.length < SELECTOR_BYTES) continue;
      const key = `0x${toHex(input.subarray(0, SELECTOR_BYTES))}-${input.length - SELECTOR_BYTES}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return JSON.stringify(Object.fromEntries(counts));
  }
}
