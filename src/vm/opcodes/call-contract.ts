import type { Address } from '../../domain/address.js';
import { EMPTY_BYTES } from '../../domain/bytes.js';
import { ContractValidateError } from '../errors.js';
import type { Frame } from '../machine/frame.js';
import { type CallMark, DEPTH_MAX, type Machine } from '../machine/machine.js';
import { TOKEN_ID_MIN, tokenBalance } from '../native/tokens.js';
import { moveToken, moveTrx, validateTokenMove, validateTrxMove } from '../native/transfers.js';
import { failure, longRange, outOfTime, transferFailed } from '../native/vm-error.js';
import { findPrecompile } from '../precompiles/table.js';

export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CALLTOKEN';

/** A call as its operands say; offsets of memory are what Java's int keeps of the word. Reference: MessageCall. */
export interface CallRequest {
  readonly kind: CallKind;
  /** Given to the call, stipend included; taken from the caller already, but for the stipend. */
  readonly energy: number;
  /** The whole word: a precompile is found by it, an account by its last 20 bytes. */
  readonly address: bigint;
  readonly value: bigint;
  readonly tokenId: bigint;
  /** CALLTOKEN since multi-sign: a token even where its id is 0. */
  readonly isTokenMessage: boolean;
  readonly inOffset: number;
  readonly inSize: number;
  readonly outOffset: number;
  readonly outSize: number;
}

/**
 * Makes a call from a frame, whose energy and memory it changes. Reference: Program.callToAddress, callToPrecompiledAddress.
 * @returns what is pushed: true for success
 */
export function call(machine: Machine, frame: Frame, request: CallRequest): boolean {
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

function makeCall(machine: Machine, frame: Frame, request: CallRequest): boolean {
  const precompile = findPrecompile(request.address, machine.rules);
  frame.returnBuffer = EMPTY_BYTES;
  if (frame.depth === DEPTH_MAX) {
    frame.energyUsed -= request.energy;
    return false;
  }
  return precompile === undefined
    ? callContract(machine, frame, request)
    : callPrecompile(machine, frame, request, precompile);
}

function callContract(machine: Machine, frame: Frame, request: CallRequest): boolean {
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
  const balance = token === undefined ? accounts.balance(sender) : tokenBalanceOf(machine, sender, token);
  if (balance < endowment) {
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
  playInside(machine, callee, mark, internalAt + 1, kind);
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
 * Runs a call made by a program. When the time is over, the calls around end too, and what this one had logged and noted is
 * lost, as nobody merges it.
 */
export function playInside(machine: Machine, callee: Frame, mark: CallMark, internalStart: number, kind: string): void {
  try {
    machine.play(callee, kind);
  } catch (error) {
    machine.internal.length = Math.min(machine.internal.length, internalStart);
    machine.logs.length = mark.logs;
    throw error;
  }
}

function callPrecompile(
  machine: Machine,
  frame: Frame,
  request: CallRequest,
  precompile: NonNullable<ReturnType<typeof findPrecompile>>,
): boolean {
  const { accounts } = machine;
  const { kind, energy } = request;
  const sender = frame.context;
  const isInPlace = kind === 'CALLCODE' || kind === 'DELEGATECALL';
  const depth = frame.depth + 1;
  const mark = machine.mark();
  if (BigInt.asIntN(64, request.value) !== request.value) throw longRange();
  const endowment = request.value;
  const token = tokenOf(machine, frame, request);
  const balance = token === undefined ? accounts.balance(sender) : tokenBalanceOf(machine, sender, token);
  if (balance < endowment) {
    machine.revertTo(mark, depth);
    frame.energyUsed -= energy;
    return false;
  }
  const data = frame.memory.read(request.inOffset, request.inSize);
  if (!isInPlace && endowment > 0n) {
    const context = machine.addressOf(request.address);
    transferToPrecompile(machine, { sender, context, token, endowment, depth });
  }
  const cost = precompile.energy(data, machine.rules);
  if (cost > energy) {
    machine.revertTo(mark, depth);
    return false;
  }
  const { deadlineMs } = machine;
  const startedMs = deadlineMs === Number.POSITIVE_INFINITY ? 0 : Date.now();
  if (startedMs + cost / (precompile.energyPerMs ?? Number.POSITIVE_INFINITY) > deadlineMs) {
    // A program against the clock may not start what cannot be stopped.
    throw outOfTime(kind);
  }
  const caller = kind === 'DELEGATECALL' ? machine.addressOf(frame.caller) : frame.context;
  const output = precompile.run(data, { machine, caller });
  if (precompile.isSlowHere === true) machine.grantTime(Date.now() - startedMs);
  if (output.isSuccess) {
    frame.energyUsed -= energy - cost;
    frame.returnBuffer = output.data;
    machine.keep(mark, depth);
  } else machine.revertTo(mark, depth);
  if (machine.rules.selfDestructRestriction) {
    frame.memory.extend(request.outOffset, request.outSize);
    frame.memory.write(request.outOffset, output.data.subarray(0, Math.max(request.outSize, 0)));
  } else frame.memory.write(request.outOffset, output.data);
  return output.isSuccess;
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

/** The value as a long. @throws {VmError} it does not fit */
function endowmentOf({ rules }: Machine, frame: Frame, { value, energy }: CallRequest): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  if (!rules.constantinople) throw longRange();
  frame.energyUsed -= energy;
  throw transferFailed('endowment out of long range');
}

/** Token that the call moves; undefined when it moves TRX. Reference: Program.checkTokenId, isTokenTransfer. */
function tokenOf({ rules }: Machine, frame: Frame, request: CallRequest): string | undefined {
  const { tokenId, isTokenMessage, energy } = request;
  if (!rules.multiSign) {
    const id = BigInt.asIntN(64, tokenId);
    return id === 0n ? undefined : id.toString();
  }
  const id = BigInt.asIntN(256, tokenId);
  const isLong = BigInt.asIntN(64, id) === id;
  const isInvalid = !isLong || (id <= TOKEN_ID_MIN && id !== 0n) || (id === 0n && isTokenMessage);
  if (isInvalid) {
    if (!rules.constantinople) throw isLong ? failure(INVALID_TOKEN) : longRange();
    frame.energyUsed -= energy;
    throw transferFailed(INVALID_TOKEN);
  }
  return isTokenMessage ? id.toString() : undefined;
}

const INVALID_TOKEN = 'validateForSmartContract failure:not valid token id';

function tokenBalanceOf({ accounts, state }: Machine, address: Address, id: string): bigint {
  const account = accounts.get(address);
  return account === undefined ? 0n : tokenBalance(state, address, account, id);
}

/** Makes a refused transfer the failure of the caller, which since Constantinople keeps its unused energy. */
function refusing({ rules }: Machine, frame: Frame, energy: number, what: string, validate: () => void): void {
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
  // The reference asks a contract that is not there: code without a contract row.
  if (contract === undefined) throw failure(null);
  return contract.version;
}
