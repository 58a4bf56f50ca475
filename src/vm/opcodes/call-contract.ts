import type { Address } from '../../primitives/address.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { moveToken, validateTokenMove, validateTrxMove } from '../../state-transition/balances/transfers.js';
import { ContractValidateError } from '../../state-transition/errors.js';
import { failure, transferFailed } from '../../state-transition/vm-error.js';
import type { CallRequest } from '../machine/call-request.js';
import type { CallFrame } from '../machine/frame.js';
import { CALL_DEPTH_MAX, type Machine } from '../machine/machine.js';
import { findPrecompile } from '../precompiles/table.js';
import { callPrecompile } from './call-precompile.js';
import { balanceFor, endowmentOf, tokenOf } from './call-value.js';

/**
 * Makes a call. Changes the energy and memory of the caller's frame. Reference: Program.callToAddress,
 * callToPrecompiledAddress.
 * @returns true for success; the operation pushes this result as a word
 * @throws {VmError} the calling program fails too, for example because the transfer is invalid
 */
export function callContract(machine: Machine, frame: CallFrame, request: CallRequest): boolean {
  const { hooks } = machine;
  if (hooks === undefined) return makeCall(machine, frame, request);
  hooks.calling?.(frame, request);
  let isSuccess = false;
  try {
    isSuccess = makeCall(machine, frame, request);
  } finally {
    hooks.called?.(frame, isSuccess);
  }
  return isSuccess;
}

function makeCall(machine: Machine, frame: CallFrame, request: CallRequest): boolean {
  const precompile = findPrecompile(request.address, machine.rules);
  frame.returnBuffer = EMPTY_BYTES;
  if (frame.depth === CALL_DEPTH_MAX) {
    frame.energyUsed -= request.energy;
    return false;
  }
  return precompile === undefined
    ? callCode(machine, frame, request)
    : callPrecompile(machine, frame, request, precompile);
}

function callCode(machine: Machine, frame: CallFrame, request: CallRequest): boolean {
  const { rules, accounts } = machine;
  const { kind, energy } = request;
  const data = frame.memory.read(request.inOffset, request.inSize);
  const codeAddress = machine.addressOf(request.address);
  const sender = frame.context;
  const isInPlace = kind === 'CALLCODE' || kind === 'DELEGATECALL';
  const context = isInPlace ? sender : codeAddress;
  const depth = frame.depth + 1;
  const mark = machine.mark();
  const endowment = endowmentOf(machine, frame, request);
  const token = tokenOf(machine, frame, request);
  if (balanceFor(machine, sender, token) < endowment) {
    machine.revertTo(mark, depth);
    frame.energyUsed -= energy;
    return false;
  }
  const code = accounts.get(codeAddress) === undefined ? EMPTY_BYTES : machine.codeOf(codeAddress);
  if (!isInPlace && endowment > 0n) {
    if (rules.solidity059 && accounts.get(context) === undefined) accounts.createNormal(context, depth);
    refusing(machine, frame, energy, token === undefined ? 'trx' : 'trc10', () => {
      if (token === undefined) validateTrxMove(machine.accounts, sender, context, endowment);
      else validateTokenMove(machine.accounts, sender, context, token, endowment);
    });
    if (token === undefined) {
      accounts.addBalance(sender, -endowment, depth);
      accounts.addBalance(context, endowment, depth);
    } else moveToken(accounts, sender, context, token, endowment, depth);
  }
  machine.nonce++;
  const internalAt = machine.internal.length;
  const internal = machine.note(frame, {
    receiver: context,
    value: token === undefined ? endowment : 0n,
    note: 'call',
    data,
    tokens: token === undefined ? [] : [[token, endowment]],
  });
  if (code.length === 0) {
    machine.keep(mark, depth);
    frame.energyUsed -= energy;
    return true;
  }
  const callValue = kind === 'DELEGATECALL' ? frame.callValue : request.value;
  const callee = machine.frame({
    code,
    codeAddress,
    context,
    caller: kind === 'DELEGATECALL' ? frame.caller : frame.contextWord,
    callValue: token === undefined ? callValue : 0n,
    tokenValue: token === undefined ? 0n : callValue,
    tokenId: token === undefined ? 0n : request.tokenId,
    data,
    depth,
    isStatic: kind === 'STATICCALL' || frame.isStatic,
    energyLimit: energy,
    contractVersion: rules.compatibleEvm ? versionOf(machine, codeAddress) : 0,
    hash: internal.hash,
  });
  machine.playInside(callee, kind, { mark, internalStart: internalAt + 1 });
  frame.penalty += callee.penalty;
  if (callee.isFailed) {
    machine.revertTo(mark, depth);
    machine.reject(internalAt);
    if (callee.exception !== undefined) return false;
  } else machine.keep(mark, depth);
  frame.memory.writeLimited(request.outOffset, callee.returnData, request.outSize);
  frame.returnBuffer = callee.returnData;
  const left = energy - callee.energyUsed;
  if (left > 0) frame.energyUsed -= left;
  return !callee.isRevert;
}

/**
 * Runs the validation of a transfer. If the transfer is invalid, the calling program fails. Since the Constantinople
 * proposal, the program keeps its unused energy in this case.
 */
function refusing({ rules }: Machine, frame: CallFrame, energy: number, what: string, validate: () => void): void {
  try {
    validate();
  } catch (error) {
    if (!(error instanceof ContractValidateError)) throw error;
    if (!rules.constantinople) throw failure(`validateForSmartContract failure:${error.text}`);
    frame.energyUsed -= energy;
    throw transferFailed(`transfer ${what} failed: ${error.text}`);
  }
}

function versionOf({ state }: Machine, address: Address): number {
  const contract = state.contracts.get(address);
  // The account has code, but no contract row. java-tron fails with a NullPointerException in this case.
  if (contract === undefined) throw failure(null);
  return contract.version;
}
