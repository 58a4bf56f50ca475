import { toHex } from '../../../primitives/bytes.js';
import type { CallFrame } from '../../../vm/machine/frame.js';
import type { VmHooks, WatchedRun } from '../../../vm/machine/hooks.js';
import { SLOAD_OPCODE, SSTORE_OPCODE } from '../../../vm/opcodes/code-layout.js';
import { opcodeNames } from '../../../vm/opcodes/table.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, Tracer } from './tracer.js';

/** Options of geth's struct logger. */
interface StructOptions {
  readonly disableStack: boolean;
  readonly disableStorage: boolean;
  readonly enableMemory: boolean;
  readonly enableReturnData: boolean;
  /** Maximum number of executed opcodes to print. 0 means unlimited. */
  readonly limit: number;
}

/** An opcode that has started. Its energy cost or its failure is not yet known. */
interface OpenStep {
  readonly frame: CallFrame;
  readonly head: string;
  readonly energyBefore: number;
  cost: number;
  tail: string;
}

/**
 * Prints each executed opcode with its context, in the form of geth's struct logger. Stores each step (executed opcode)
 * as text immediately, because the text is much smaller than the objects of the interpreter.
 */
export class StructTracer implements Tracer, VmHooks {
  private readonly options: StructOptions;
  private readonly limits: TraceLimits;
  private readonly steps: string[] = [];
  private open: OpenStep | undefined;
  /** Storage slots that each contract has accessed so far, as JSON texts. */
  private readonly storage = new Map<string, Map<string, string>>();

  constructor(options: StructOptions, limits: TraceLimits) {
    this.options = options;
    this.limits = limits;
  }

  get hooks(): VmHooks {
    return this;
  }

  step(run: WatchedRun, pc: number, opcode: number): void {
    this.limits.step();
    this.close(null);
    const { limit } = this.options;
    if (limit > 0 && this.steps.length >= limit) return;
    const { frame } = run;
    const head = `{"pc":${pc},"op":"${nameOf(opcode)}","gas":${frame.energyLeft},"gasCost":`;
    this.open = { frame, head, energyBefore: frame.energyUsed, cost: 0, tail: this.seen(run) };
  }

  paid(run: WatchedRun): void {
    const { open } = this;
    if (open === undefined) return;
    open.cost = run.frame.energyUsed - open.energyBefore;
    if (this.options.disableStorage || (run.opcode !== SLOAD_OPCODE && run.opcode !== SSTORE_OPCODE)) return;
    const { context } = run.frame;
    const slots = this.storage.get(context) ?? new Map<string, string>();
    this.storage.set(context, slots);
    const slot = run.peek(0);
    slots.set(wordText(slot), wordText(run.opcode === SLOAD_OPCODE ? run.load(slot) : run.peek(1)));
    open.tail += `,"storage":{${[...slots].map(([key, value]) => `"${key}":"${value}"`).join(',')}}`;
  }

  leave(frame: CallFrame): void {
    this.close(frame);
  }

  answer({ energyUsed, isFailed, returnData }: TracedOutcome): string {
    const head = `{"gas":${energyUsed},"failed":${isFailed},"returnValue":"${toHex(returnData)}"`;
    return `${head},"structLogs":[${this.steps.join(',')}]}`;
  }

  /**
   * Completes the current step and stores its text.
   * @param left call frame that ends, if any; if the frame failed, its last step shows the error
   */
  private close(left: CallFrame | null): void {
    const { open } = this;
    if (open === undefined) return;
    this.open = undefined;
    const { frame, head, cost, tail } = open;
    const exception = left === frame ? frame.exception : undefined;
    const error = exception === undefined ? '' : `,"error":${JSON.stringify(exception.text ?? exception.code)}`;
    const text = `${head}${cost},"depth":${frame.depth + 1}${error}${tail}}`;
    this.limits.add(text.length);
    this.steps.push(text);
  }

  private seen({ frame, stack }: WatchedRun): string {
    const { disableStack, enableMemory, enableReturnData } = this.options;
    let text = disableStack ? '' : `,"stack":[${stack.map((word) => `"0x${word.toString(16)}"`).join(',')}]`;
    if (enableReturnData && frame.returnBuffer.length > 0) text += `,"returnData":"0x${toHex(frame.returnBuffer)}"`;
    if (enableMemory)
      text += `,"memory":[${wordsOf(frame)
        .map((word) => `"${word}"`)
        .join(',')}]`;
    return text;
  }
}

function wordsOf({ memory }: CallFrame): string[] {
  return toHex(memory.read(0, memory.size)).match(/.{64}/g) ?? [];
}

function wordText(word: bigint): string {
  return word.toString(16).padStart(64, '0');
}

function nameOf(opcode: number): string {
  return opcodeNames[opcode] ?? `opcode 0x${opcode.toString(16)} not defined`;
}
