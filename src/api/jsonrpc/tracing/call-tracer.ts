import type { VmHooks } from '../../../vm/machine/hooks.js';
import { revertReason } from '../methods/revert-reason.js';
import { data, quantity } from '../quantities.js';
import { type CallOptions, CallRecorder } from './call-recorder.js';
import { isFailedCreation, type SeenCall } from './seen-call.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, Tracer } from './tracer.js';

/** Prints each call with its nested calls, in the form of geth's `callTracer`. */
export class CallTracer implements Tracer {
  private readonly calls: CallRecorder;

  constructor(options: CallOptions, limits: TraceLimits) {
    this.calls = new CallRecorder(options, limits);
  }

  get hooks(): VmHooks {
    return this.calls;
  }

  answer(outcome: TracedOutcome): string {
    return JSON.stringify(showCall(this.calls.tree(outcome)));
  }
}

/** Prints a call with its members in geth's order. Omits empty members, and the address of a failed creation. */
function showCall({ output, error, value, token, ...call }: SeenCall): object {
  const reason = call.isRevert ? revertReason(output).slice(': '.length) : '';
  return {
    from: call.from,
    gas: quantity(call.gas),
    gasUsed: quantity(call.gasUsed),
    ...(isFailedCreation({ type: call.type, error }) ? {} : { to: call.to }),
    input: data(call.input),
    ...(output.length > 0 && { output: data(output) }),
    ...(error !== undefined && { error }),
    ...(reason !== '' && { revertReason: reason }),
    ...(call.calls.length > 0 && { calls: call.calls.map(showCall) }),
    ...(call.logs.length > 0 && { logs: call.logs.map((log) => ({ ...log, position: quantity(log.position) })) }),
    ...(value !== undefined && { value: `0x${value.toString(16)}` }),
    ...(token !== undefined && { tokenId: quantity(token[0]), tokenValue: `0x${token[1].toString(16)}` }),
    type: call.type,
  };
}
