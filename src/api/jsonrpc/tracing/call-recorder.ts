import { present } from '../../../primitives/assert.js';
import { EMPTY_BYTES, fromHex } from '../../../primitives/bytes.js';
import type { CallRequest } from '../../../vm/machine/call-request.js';
import type { CallFrame } from '../../../vm/machine/frame.js';
import type { VmHooks, WatchedMachine, WatchedRun } from '../../../vm/machine/hooks.js';
import { MEMORY_MAX } from '../../../vm/opcodes/prices.js';
import { findPrecompile } from '../../../vm/precompiles/table.js';
import { data } from '../quantities.js';
import type { SeenCall, SeenLog } from './seen-call.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome } from './tracer.js';

/** Options of geth's `callTracer`. */
export interface CallOptions {
  readonly onlyTopCall: boolean;
  /** True if the trace includes the events of each call. */
  readonly withLog: boolean;
}

/** A call in progress. If it runs a program, `frame` contains the outcome. */
interface CallNode {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** Value in SUN; undefined for `STATICCALL`. A `DELEGATECALL` has the value of its caller, but transfers nothing. */
  readonly value: bigint | undefined;
  /** Id of the TRC10 token that the call transfers, and the amount. */
  readonly token: readonly [id: bigint, amount: bigint] | undefined;
  readonly gas: number;
  /** Energy that the calling program had used when this call started. */
  readonly energyBefore: number;
  /**
   * True if the hook `calling` created this node. The hook `called` then completes the node. If the call runs a
   * program, the hook `enter` is called between these two hooks.
   */
  readonly isOpenedByCaller: boolean;
  readonly isPrecompile: boolean;
  frame: CallFrame | undefined;
  input: Uint8Array;
  output: Uint8Array;
  gasUsed: number;
  error: string | undefined;
  readonly calls: CallNode[];
  readonly logs: SeenLog[];
}

const SELFDESTRUCT = 0xff;
const LOG0 = 0xa0;
const LOG4 = 0xa4;
/** Estimated JSON size of a call without its data, in characters. */
const CALL_CHARACTERS = 300;

/** Records the calls of a traced run as a tree. Each call tracer prints this tree in its own form. */
export class CallRecorder implements VmHooks {
  private readonly options: CallOptions;
  private readonly limits: TraceLimits;
  private readonly path: CallNode[] = [];
  private root: CallNode | undefined;
  private machine: WatchedMachine | undefined;

  constructor(options: CallOptions, limits: TraceLimits) {
    this.options = options;
    this.limits = limits;
  }

  step(): void {
    this.limits.step();
  }

  paid(run: WatchedRun): void {
    this.machine = run.machine;
    if (this.options.onlyTopCall) return;
    if (run.opcode === SELFDESTRUCT) this.addSelfDestruct(run);
    else if (this.options.withLog && run.opcode >= LOG0 && run.opcode <= LOG4) this.addLog(run);
  }

  calling(
    caller: CallFrame,
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
      isPrecompile: this.machine !== undefined && findPrecompile(address, this.machine.rules) !== undefined,
      input: memoryOf(caller, inOffset, inSize),
    });
  }

  called(caller: CallFrame, isSuccess: boolean): void {
    const call = present(this.path.pop(), 'every finished call was started');
    if (call.frame !== undefined) return;
    const returned = call.energyBefore - caller.energyUsed;
    call.gasUsed = Math.max(0, call.gas - returned);
    call.output = caller.returnBuffer;
    if (!isSuccess) call.error = 'call failed';
  }

  enter(frame: CallFrame, kind: string): void {
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
      isPrecompile: false,
      input: kind === 'CALL' ? frame.data : frame.code,
    });
    call.frame = frame;
  }

  leave(frame: CallFrame): void {
    this.limits.add(2 * frame.returnData.length);
    const call = this.path.at(-1);
    if (call?.frame === frame && !call.isOpenedByCaller) this.path.pop();
  }

  /**
   * Returns the tree: the transaction as the root call, and its nested calls.
   * @param outcome outcome of the transaction
   */
  tree(outcome: TracedOutcome): SeenCall {
    if (this.root === undefined) return withoutProgram(outcome);
    const root = seenCall(this.root, false);
    // Uses the outcome of the transaction. A transaction can also fail after the end of its program, for example if the
    // code of a new contract cannot be stored.
    const { energyUsed, failure, isFailed } = outcome;
    if (!isFailed || root.error !== undefined) return { ...root, gasUsed: energyUsed };
    return { ...root, gasUsed: energyUsed, error: failure ?? REVERTED, output: EMPTY_BYTES, logs: [] };
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

  private addSelfDestruct(run: WatchedRun): void {
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
      isPrecompile: false,
      frame: undefined,
      input: EMPTY_BYTES,
      output: EMPTY_BYTES,
      gasUsed: 0,
      error: undefined,
      calls: [],
      logs: [],
    });
  }

  private addLog(run: WatchedRun): void {
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
      position: parent.calls.length,
    });
  }
}

/** Error text of a reverted call, as in geth. */
export const REVERTED = 'execution reverted';

/**
 * Converts the node of a finished call to the form that the tracers print.
 * @param isLost true if an enclosing call failed; the logs of this call are then omitted
 */
function seenCall(call: CallNode, isLost: boolean): SeenCall {
  const { frame, type, from, to, value, token, input, isPrecompile } = call;
  const error = frame === undefined ? call.error : errorOf(frame);
  const isRevert = frame?.isRevert === true && frame.exception === undefined;
  const output = frame === undefined ? call.output : frame.returnData;
  const hasFailed = isLost || error !== undefined;
  return {
    type,
    from,
    to,
    value,
    token,
    gas: frame?.energyLimit ?? call.gas,
    gasUsed: frame?.energyUsed ?? call.gasUsed,
    input,
    output: error === undefined || isRevert ? output : EMPTY_BYTES,
    error,
    failure: frame?.exception?.code,
    isRevert,
    isPrecompile,
    calls: call.calls.map((inner) => seenCall(inner, hasFailed)),
    logs: hasFailed ? [] : call.logs,
  };
}

/**
 * Builds the root call of a transaction without a traced program. Such a transaction calls no contract, or its
 * program timed out when the block was produced.
 */
function withoutProgram({ from, to, value, input, energyUsed, isFailed, failure }: TracedOutcome): SeenCall {
  return {
    type: 'CALL',
    from,
    to,
    value: BigInt.asUintN(64, value),
    token: undefined,
    gas: energyUsed,
    gasUsed: energyUsed,
    input,
    output: EMPTY_BYTES,
    error: isFailed ? (failure ?? 'failed') : undefined,
    failure: undefined,
    isRevert: false,
    isPrecompile: false,
    calls: [],
    logs: [],
  };
}

function errorOf({ exception, isRevert }: CallFrame): string | undefined {
  if (exception !== undefined) return exception.text ?? exception.code;
  return isRevert ? REVERTED : undefined;
}

/**
 * Reads memory of a program. Bytes beyond the used size read as zero. The memory is not expanded, because tracing must
 * not change the execution.
 */
function memoryOf({ memory }: CallFrame, offset: number, size: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, Math.min(size, MEMORY_MAX)));
  const available = Math.min(bytes.length, memory.size - offset);
  if (offset >= 0 && available > 0) bytes.set(memory.read(offset, available));
  return bytes;
}

/** Returns the last 20 bytes of a hex address, with the `0x` prefix. */
function addressText(address: string): string {
  return data(fromHex(address).subarray(-20));
}

/** Returns the low 20 bytes of a stack word, with the `0x` prefix. */
function wordAddress(word: bigint): string {
  return `0x${(word & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`;
}
