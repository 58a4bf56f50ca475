import type { VmFailure } from '../../../state-transition/vm-error.js';
import { data, quantity } from '../quantities.js';
import { isFailedCreation, type SeenCall } from './seen-call.js';
import type { TracedPosition } from './tracer.js';

/** Options for printing a flat list of calls. */
export interface FlatOptions {
  /** True if errors have Parity's texts. */
  readonly convertsErrors: boolean;
  /**
   * True to include all calls of precompiled contracts. False to include only calls of precompiled contracts that
   * transfer TRX.
   */
  readonly includesPrecompiles: boolean;
  /**
   * True if a failed call has `result: null`, and a reverted creation has its address, as in Erigon. False to omit
   * both, as geth does.
   */
  readonly showsNoResult: boolean;
}

/** A call in Parity's form. */
export interface FlatCall extends Partial<TracedPosition> {
  readonly action: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly result?: object | null;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: 'call' | 'create' | 'suicide';
}

const PARITY_ERRORS: Partial<Readonly<Record<VmFailure, string>>> = {
  OUT_OF_ENERGY: 'Out of gas',
  BAD_JUMP_DESTINATION: 'Bad jump destination',
  ILLEGAL_OPERATION: 'Bad instruction',
  STACK_TOO_SMALL: 'Stack underflow',
  STACK_TOO_LARGE: 'Out of stack',
  PRECOMPILED_CONTRACT: 'Built-in failed',
};

/**
 * Flattens a call tree. Each call precedes its nested calls.
 * @param position position to print with each call; undefined to print no position
 */
export function flatCalls(call: SeenCall, position: TracedPosition | undefined, options: FlatOptions): FlatCall[] {
  const flat: FlatCall[] = [];
  addFlat(flat, call, [], position, options);
  return flat;
}

function addFlat(
  flat: FlatCall[],
  call: SeenCall,
  traceAddress: readonly number[],
  position: TracedPosition | undefined,
  options: FlatOptions,
): void {
  const calls = options.includesPrecompiles ? call.calls : call.calls.filter(isShown);
  const error = options.convertsErrors ? parityError(call) : call.error;
  const kind = kindOf(call);
  const hasResult = kind !== 'suicide' && (error === undefined || call.isRevert);
  flat.push({
    action: actionOf(call),
    ...(position !== undefined && { blockHash: position.blockHash, blockNumber: position.blockNumber }),
    ...(error !== undefined && { error }),
    ...(hasResult ? { result: resultOf(call, options) } : options.showsNoResult && { result: null }),
    subtraces: calls.length,
    traceAddress,
    ...(position !== undefined && {
      transactionHash: position.transactionHash,
      transactionPosition: position.transactionPosition,
    }),
    type: kind,
  });
  for (const [at, inner] of calls.entries()) addFlat(flat, inner, [...traceAddress, at], position, options);
}

function isShown({ isPrecompile, type, value = 0n }: SeenCall): boolean {
  return !isPrecompile || (type === 'CALL' && value > 0n);
}

function kindOf({ type }: SeenCall): FlatCall['type'] {
  if (type === 'SELFDESTRUCT') return 'suicide';
  return type.startsWith('CREATE') ? 'create' : 'call';
}

function actionOf(call: SeenCall): FlatCall['action'] {
  const { type, from, to, value = 0n, token } = call;
  const amount = `0x${value.toString(16)}`;
  if (type === 'SELFDESTRUCT') return { address: from, balance: amount, refundAddress: to };
  const tokens = token === undefined ? {} : { tokenId: quantity(token[0]), tokenValue: `0x${token[1].toString(16)}` };
  const gas = quantity(call.gas);
  const input = data(call.input);
  if (type.startsWith('CREATE')) {
    return { creationMethod: type.toLowerCase(), from, gas, init: input, value: amount, ...tokens };
  }
  // Clients of this format do not know CALLTOKEN, so it is shown as `call`.
  const callType = type === 'CALLTOKEN' ? 'call' : type.toLowerCase();
  return { callType, from, gas, input, to, value: amount, ...tokens };
}

function resultOf(call: SeenCall, { showsNoResult }: FlatOptions): object {
  const { type, to, gasUsed, output } = call;
  const used = quantity(gasUsed);
  const hidesAddress = isFailedCreation(call) && !showsNoResult;
  if (type.startsWith('CREATE')) return { ...(hidesAddress ? {} : { address: to }), code: data(output), gasUsed: used };
  return { gasUsed: used, output: data(output) };
}

function parityError({ error, failure, isRevert }: SeenCall): string | undefined {
  if (isRevert) return 'Reverted';
  return (failure && PARITY_ERRORS[failure]) ?? error;
}
