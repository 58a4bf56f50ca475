import type { VmHooks } from '../../../vm/machine/hooks.js';
import type { Effects, TracedOutcome, Tracer } from './tracer.js';

/**
 * Runs several tracers on one execution and prints each result under the tracer's name, like geth's `muxTracer`.
 * Without tracers the result is empty, like that of geth's `noopTracer`.
 */
export class MuxTracer implements Tracer {
  readonly hooks: VmHooks;
  private readonly tracers: ReadonlyMap<string, Tracer>;

  constructor(tracers: ReadonlyMap<string, Tracer>) {
    this.tracers = tracers;
    const all = [...tracers.values()].map(({ hooks }) => hooks);
    this.hooks = {
      step: (run, pc, opcode) => {
        for (const hooks of all) hooks.step?.(run, pc, opcode);
      },
      paid: (run) => {
        for (const hooks of all) hooks.paid?.(run);
      },
      calling: (caller, request) => {
        for (const hooks of all) hooks.calling?.(caller, request);
      },
      called: (caller, isSuccess) => {
        for (const hooks of all) hooks.called?.(caller, isSuccess);
      },
      enter: (frame, kind) => {
        for (const hooks of all) hooks.enter?.(frame, kind);
      },
      leave: (frame) => {
        for (const hooks of all) hooks.leave?.(frame);
      },
    };
  }

  answer(outcome: TracedOutcome, effects: Effects): string {
    const answers = [...this.tracers].map(
      ([name, tracer]) => `${JSON.stringify(name)}:${tracer.answer(outcome, effects)}`,
    );
    return `{${answers.join(',')}}`;
  }
}
