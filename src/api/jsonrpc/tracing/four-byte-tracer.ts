import type { VmHooks } from '../../../vm/interpreter/hooks.js';
import { CallTracer } from './call-tracer.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, Tracer } from './tracer.js';

interface ShownCall {
  readonly type: string;
  readonly input: string;
  readonly calls?: readonly ShownCall[];
}

/** `0x` and the digits of four bytes. */
const SELECTOR_END = 10;

/** How often each function was called, with how many bytes of arguments, in the form of geth's `4byteTracer`. Creations have none. */
export class FourByteTracer implements Tracer {
  private readonly calls: CallTracer;

  constructor(limits: TraceLimits) {
    this.calls = new CallTracer({ onlyTopCall: false, withLog: false }, limits);
  }

  get hooks(): VmHooks {
    return this.calls.hooks;
  }

  answer(outcome: TracedOutcome): string {
    const counts = new Map<string, number>();
    const left = [JSON.parse(this.calls.answer(outcome)) as ShownCall];
    for (let call = left.pop(); call !== undefined; call = left.pop()) {
      left.push(...(call.calls ?? []));
      if (!call.type.includes('CALL') || call.input.length < SELECTOR_END) continue;
      const key = `${call.input.slice(0, SELECTOR_END)}-${(call.input.length - SELECTOR_END) / 2}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return JSON.stringify(Object.fromEntries(counts));
  }
}
