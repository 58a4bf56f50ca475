import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import type { State } from '../../../src/state-transition/state/state.js';
import { referenceInterpreter } from '../../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../../src/vm/interpreter/wasm-interpreter.js';
import { callWorld, type WorldOptions, worldWith } from './vm-world.js';

const fast = new WasmInterpreter();

interface CodeOptions extends WorldOptions {
  readonly data?: string;
  readonly energy?: number;
  readonly value?: bigint;
  /** Code (hex) of the contracts 1, 2, …. The called contract is contract 0. */
  readonly others?: readonly string[];
  /** Function that changes the state before the call. */
  readonly given?: (state: State) => void;
}

export interface CodeResult {
  /** Data that the program returns, in hex. */
  readonly output: string;
  /** Returned data, split into words of 32 bytes. */
  readonly words: readonly bigint[];
  /** Text of the exception; null if the exception has no text, undefined if there was no exception. */
  readonly exception: string | null | undefined;
  readonly isRevert: boolean;
  readonly energy: bigint;
  readonly internal: readonly string[];
  readonly logs: number;
  readonly state: State;
}

/** Runs code (hex) in both interpreters. Fails the test if their results differ. */
export function runCode(
  t: { same(found: unknown, expected: unknown, name: string): unknown },
  code: string,
  options: CodeOptions = {},
): CodeResult {
  const [plain, other] = [referenceInterpreter, fast].map((interpreter) => {
    const state = worldWith([code, ...(options.others ?? [])].map(fromHex), options);
    options.given?.(state);
    const { run, receipt } = callWorld(state, interpreter, {
      data: fromHex(options.data ?? ''),
      energy: options.energy ?? 1_000_000,
      value: options.value ?? 0n,
    });
    const output = toHex(run.returnData);
    const words = output.match(/.{64}/g)?.map((word) => BigInt(`0x${word}`)) ?? [];
    const internal = run.internalTransactions.map(({ note }) => Buffer.from(note).toString());
    const result = {
      output,
      words,
      exception: run.exception?.text,
      isRevert: run.isRevert,
      energy: receipt.energyUsageTotal,
      internal,
      logs: run.logs.length,
    };
    return { result, state };
  });
  if (plain === undefined || other === undefined) throw new Error('two interpreters');
  t.same(other.result, plain.result, 'both interpreters agree');
  return { ...plain.result, state: plain.state };
}

/** Returns the code that pushes a word on the stack. */
export function push(word: bigint | number): string {
  const digits = word.toString(16);
  const hex = digits.padStart(digits.length + (digits.length % 2), '0');
  return (0x5f + hex.length / 2).toString(16).padStart(2, '0') + hex;
}

/**
 * Returns code that runs `code` and then returns the top words of the stack, the top word first.
 * @param count number of words
 */
export function returning(code: string, count = 1): string {
  const stores = Array.from({ length: count }, (_, at) => `${push(32 * at)}52`).join('');
  return `${code}${stores}${push(32 * count)}${push(0)}f3`;
}
