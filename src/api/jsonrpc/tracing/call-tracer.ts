import { EMPTY_BYTES, fromHex } from '../../../log/domain/bytes.js';
import type { CallRequest } from '../../../vm/interpreter/calls.js';
import type { Frame } from '../../../vm/interpreter/frame.js';
import type { VmHooks } from '../../../vm/interpreter/hooks.js';
import type { PlainRun } from '../../../vm/interpreter/plain-run.js';
import { MEMORY_MAX } from '../../../vm/opcodes/prices.js';
import { revertReason } from '../contract-calls.js';
import { data, quantity } from '../quantities.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, Tracer } from './tracer.js';

interface CallOptions {
  readonly onlyTopCall: boolean;
  /** Events of each call too. */
  readonly withLog: boolean;
}

interface TracedLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Calls of the same program before it. */
  readonly position: string;
}

/** A call under way. Once it runs a program, all that becomes of it is in its frame. */
interface CallNode {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** TRX in SUN; undefined for calls that cannot have one. */
  readonly value: bigint | undefined;
  /** Token that the call moves, and how much of it. */
  readonly token: readonly [id: bigint, amount: bigint] | undefined;
  readonly gas: number;
  /** Energy of the caller when the call began. */
  readonly energyBefore: number;
  /** Its caller opened it, and closes it: programs are entered in between, or not. */
  readonly isOpenedByCaller: boolean;
  frame: Frame | undefined;
  input: Uint8Array;
  output: Uint8Array;
  gasUsed: number;
  error: string | undefined;
  readonly calls: CallNode[];
  readonly logs: TracedLog[];
}

const SELFDESTRUCT = 0xff;
const LOG0 = 0xa0;
const LOG4 = 0xa4;
/** Characters that a call takes beside its data. */
const CALL_CHARACTERS = 300;

/** Every call with those inside it, in the form of geth's `callTracer`. */
export class CallTracer implements Tracer, VmHooks {
  private readonly options: CallOptions;
  private readonly limits: TraceLimits;
  private readonly path: CallNode[] = [];
  private root: CallNode | undefined;

  constructor(options: CallOptions, limits: TraceLimits) {
    this.options = options;
    this.limits = limits;
  }

  get hooks(): VmHooks {
    return this;
  }

  step(): void {
    this.limits.step();
  }

  paid(run: PlainRun): void {
    if (this.options.onlyTopCall) return;
    if (run.opcode === SELFDESTRUCT) this.addSelfDestruct(run);
    else if (this.options.withLog && run.opcode >= LOG0 && run.opcode <= LOG4) this.addLog(run);
  }

  calling(
    caller: Frame,
    { kind, address, value, tokenId, isTokenMessage, energy, inOffset, inSize }: CallRequest,
  ): void {
    const isToken = isTokenMessage || (kind === 'CALLTOKEN' && tokenId !== 0n);
    this.begin({
      type: kind,
      from: addressText(caller.context),
      to: wordAddress(address),
      value: kind === 'STATICCALL' ? undefined : kind === 'DELEGATECALL' ? caller.callValue : isToken ? 0n : value,
      token: isToken ? [tokenId, value] : undefined,
      gas: energy,
      energyBefore: caller.energyUsed,
      isOpenedByCaller: true,
      input: memoryOf(caller, inOffset, inSize),
    });
  }

  called(caller: Frame, isSuccess: boolean): void {
    const call = this.path.pop()!;
    if (call.frame !== undefined) return;
    const returned = call.energyBefore - caller.energyUsed;
    call.gasUsed = Math.max(0, call.gas - returned);
    call.output = caller.returnBuffer;
    if (!isSuccess) call.error = 'call failed';
  }

  enter(frame: Frame, kind: string): void {
    const caller = this.path.at(-1);
    if (caller?.isOpenedByCaller === true && caller.frame === undefined) {
      caller.frame = frame;
      return;
    }
    const call = this.begin({
      type: kind,
      from: wordAddress(frame.caller),
      to: addressText(frame.context),
      value: frame.callValue,
      token: frame.tokenId === 0n ? undefined : [frame.tokenId, frame.tokenValue],
      gas: frame.energyLimit,
      energyBefore: 0,
      isOpenedByCaller: false,
      input: kind === 'CALL' ? frame.data : frame.code,
    });
    call.frame = frame;
  }

  leave(frame: Frame): void {
    const call = this.path.at(-1);
    if (call?.frame === frame && !call.isOpenedByCaller) this.path.pop();
  }

  answer(outcome: TracedOutcome): string {
    const { onlyTopCall } = this.options;
    if (this.root === undefined) return JSON.stringify(withoutProgram(outcome));
    const shown = showCall(this.root, onlyTopCall);
    // The transaction's outcome knows more than its frame: what storing the code of a creation came to.
    const { energyUsed, failure, isFailed } = outcome;
    const error = isFailed ? { error: shown['error'] ?? failure ?? 'execution reverted' } : {};
    return JSON.stringify({ ...shown, gasUsed: quantity(energyUsed), ...error });
  }

  private begin(call: Omit<CallNode, 'frame' | 'output' | 'gasUsed' | 'error' | 'calls' | 'logs'>): CallNode {
    const node: CallNode = {
      ...call,
      frame: undefined,
      output: EMPTY_BYTES,
      gasUsed: 0,
      error: undefined,
      calls: [],
      logs: [],
    };
    if (this.root === undefined) this.root = node;
    else if (!this.options.onlyTopCall) {
      this.limits.add(CALL_CHARACTERS + 2 * node.input.length);
      this.path.at(-1)?.calls.push(node);
    }
    this.path.push(node);
    return node;
  }

  private addSelfDestruct(run: PlainRun): void {
    const { machine, frame } = run;
    const parent = this.path.at(-1);
    if (parent === undefined) return;
    this.limits.add(CALL_CHARACTERS);
    parent.calls.push({
      type: 'SELFDESTRUCT',
      from: addressText(frame.context),
      to: wordAddress(run.peek(0)),
      value: machine.accounts.balance(frame.context),
      token: undefined,
      gas: 0,
      energyBefore: 0,
      isOpenedByCaller: true,
      frame: undefined,
      input: EMPTY_BYTES,
      output: EMPTY_BYTES,
      gasUsed: 0,
      error: undefined,
      calls: [],
      logs: [],
    });
  }

  private addLog(run: PlainRun): void {
    const parent = this.path.at(-1);
    if (parent === undefined) return;
    const count = run.opcode - LOG0;
    const bytes = memoryOf(run.frame, Number(run.peek(0)), Number(run.peek(1)));
    this.limits.add(CALL_CHARACTERS + 2 * bytes.length);
    parent.logs.push({
      address: addressText(run.frame.context),
      topics: Array.from(
        { length: count },
        (_, at) =>
          `0x${run
            .peek(2 + at)
            .toString(16)
            .padStart(64, '0')}`,
      ),
      data: data(bytes),
      position: quantity(parent.calls.length),
    });
  }
}

/** Members in geth's order; those that are empty are left out. */
function showCall(call: CallNode, isAlone: boolean): Record<string, unknown> {
  const { frame, type, value, token } = call;
  const error = frame === undefined ? call.error : errorOf(frame);
  const output = frame === undefined ? call.output : frame.returnData;
  const reason = frame?.isRevert === true ? reasonOf(output) : '';
  const calls = isAlone ? [] : call.calls.map((inner) => showCall(inner, false));
  return {
    from: call.from,
    gas: quantity(frame?.energyLimit ?? call.gas),
    gasUsed: quantity(frame?.energyUsed ?? call.gasUsed),
    to: call.to,
    input: data(call.input),
    ...(output.length > 0 && (error === undefined || frame?.isRevert === true) && { output: data(output) }),
    ...(error !== undefined && { error }),
    ...(reason !== '' && { revertReason: reason }),
    ...(calls.length > 0 && { calls }),
    // What a failed call had told is not told.
    ...(error === undefined && call.logs.length > 0 && { logs: call.logs }),
    ...(value !== undefined && { value: `0x${value.toString(16)}` }),
    ...(token !== undefined && { tokenId: quantity(token[0]), tokenValue: `0x${token[1].toString(16)}` }),
    type,
  };
}

/** A transaction whose program was not run: another kind of contract, or one that the block says has timed out. */
function withoutProgram({ from, to, value, input, energyUsed, isFailed, failure }: TracedOutcome): object {
  return {
    from,
    gas: quantity(energyUsed),
    gasUsed: quantity(energyUsed),
    to,
    input: data(input),
    ...(isFailed && { error: failure ?? 'failed' }),
    value: quantity(value),
    type: 'CALL',
  };
}

function errorOf({ exception, isRevert }: Frame): string | undefined {
  if (exception !== undefined) return exception.text ?? exception.code;
  return isRevert ? 'execution reverted' : undefined;
}

function reasonOf(returned: Uint8Array): string {
  try {
    return revertReason(returned).slice(': '.length);
  } catch {
    return '';
  }
}

/** Paid memory as it is, zeros where it is not in use yet: looking must not grow it. */
function memoryOf({ memory }: Frame, offset: number, size: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, Math.min(size, MEMORY_MAX)));
  const available = Math.min(bytes.length, memory.size - offset);
  if (offset >= 0 && available > 0) bytes.set(memory.read(offset, available));
  return bytes;
}

function addressText(address: string): string {
  return data(fromHex(address).subarray(-20));
}

function wordAddress(word: bigint): string {
  return `0x${(word & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`;
}
