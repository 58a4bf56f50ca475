import type { Address } from '../../primitives/address.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { moveToken, moveTrx, validateTokenMove } from '../../state-transition/balances/transfers.js';
import { ContractValidateError } from '../../state-transition/errors.js';
import { failure, longRange, outOfTime } from '../../state-transition/vm-error.js';
import type { CallRequest } from '../machine/call-request.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import type { Precompile } from '../precompiles/precompile.js';
import { balanceFor, tokenOf } from './call-value.js';

/**
 * Calls a precompile. Reference: Program.callToPrecompiledAddress.
 * @returns true for success
 * @throws {VmError} the calling program fails too, for example because the time limit is exceeded
 */
export function callPrecompile(
  machine: Machine,
  frame: CallFrame,
  request: CallRequest,
  precompile: Precompile,
): boolean {
  const { kind, energy } = request;
  const sender = frame.context;
  const isInPlace = kind === 'CALLCODE' || kind === 'DELEGATECALL';
  const depth = frame.depth + 1;
  const mark = machine.mark();
  if (BigInt.asIntN(64, request.value) !== request.value) throw longRange();
  const endowment = request.value;
  const token = tokenOf(machine, frame, request);
  if (balanceFor(machine, sender, token) < endowment) {
    machine.revertTo(mark, depth);
    frame.energyUsed -= energy;
    return false;
  }
  const data = frame.memory.view(request.inOffset, request.inSize);
  if (!isInPlace && endowment > 0n) {
    const context = machine.addressOf(request.address);
    transferToPrecompile(machine, { sender, context, token, endowment, depth });
  }
  const cost = precompile.energy(data, machine.rules);
  if (cost > energy) {
    machine.revertTo(mark, depth);
    return false;
  }
  const { time } = machine;
  const leftMs = time?.leftMs() ?? Number.POSITIVE_INFINITY;
  // A running precompile cannot be interrupted. Therefore, it must not start if its estimated duration exceeds the
  // remaining time.
  if (leftMs < cost / (precompile.energyPerMs ?? Number.POSITIVE_INFINITY)) throw outOfTime(kind);
  const caller = kind === 'DELEGATECALL' ? machine.addressOf(frame.caller) : frame.context;
  const output = precompile.run(data, { machine, caller });
  if (precompile.isSlowHere === true) time?.grant(leftMs - time.leftMs());
  if (output.isSuccess) {
    frame.energyUsed -= energy - cost;
    frame.returnBuffer = output.data;
    machine.keep(mark, depth);
  } else machine.revertTo(mark, depth);
  if (machine.rules.selfDestructRestriction) {
    frame.memory.extend(request.outOffset, request.outSize);
    frame.memory.write(request.outOffset, prefixOf(output.data, request.outSize));
  } else frame.memory.write(request.outOffset, output.data);
  return output.isSuccess;
}

/**
 * Returns the first `count` bytes. Creates a view only if necessary, because creating a view takes longer than many
 * precompiles.
 */
function prefixOf(bytes: Uint8Array, count: number): Uint8Array {
  if (count <= 0) return EMPTY_BYTES;
  return bytes.length > count ? bytes.subarray(0, count) : bytes;
}

function transferToPrecompile(
  { accounts }: Machine,
  move: { sender: Address; context: Address; token: string | undefined; endowment: bigint; depth: number },
): void {
  const { sender, context, token, endowment, depth } = move;
  try {
    if (token === undefined) moveTrx(accounts, sender, context, endowment, depth);
    else validateTokenMove(accounts, sender, context, token, endowment);
  } catch (error) {
    if (!(error instanceof ContractValidateError)) throw error;
    throw failure(token === undefined ? 'transfer failure' : `validateForSmartContract failure:${error.text}`);
  }
  if (token !== undefined) moveToken(accounts, sender, context, token, endowment, depth);
}
