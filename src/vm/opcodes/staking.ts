import { Vote } from '../../codec/generated/messages.js';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { ArithmeticError } from '../../primitives/int64.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { ContractExeError, ContractValidateError } from '../../state-transition/errors.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { ResourceCode } from '../../state-transition/resources/stake.js';
import { freezeV1, unfreeze } from '../../state-transition/staking/stake-v1.js';
import {
  type Cancelled,
  cancelUnfreezing,
  delegate,
  freezeV2,
  undelegate,
  unfreezeV2,
  withdrawUnfrozen,
} from '../../state-transition/staking/stake-v2.js';
import { castVotes, withdrawAllowance } from '../../state-transition/staking/vote-witness.js';
import { failure, refusedAsTimeout } from '../../state-transition/vm-error.js';
import type { CallFrame } from '../machine/frame.js';
import type { InternalCall } from '../machine/internal-transaction.js';
import type { CallMark, Machine } from '../machine/machine.js';

/** Represents an invalid resource code. */
const UNKNOWN_RESOURCE = -1;

/** FREEZE: freezes stake 1.0. Reference: Program.freeze. @returns true for success */
export function freezeOf(
  machine: Machine,
  frame: CallFrame,
  to: bigint,
  amount: bigint,
  resourceWord: bigint,
): boolean {
  const receiver = machine.addressOf(to);
  const note = `freezeFor${resourceName(resourceWord)}`;
  return operate(machine, frame, { receiver, value: amount, note }, (depth) => {
    const stake = { owner: frame.context, receiver, resource: resourceV1(resourceWord), depth };
    freezeV1(machine.accounts, stake, signedLong(amount));
    return undefined;
  }).isDone;
}

/** UNFREEZE: unfreezes stake 1.0. Returns true for success. Reference: Program.unfreeze. */
export function unfreezeOf(machine: Machine, frame: CallFrame, to: bigint, resourceWord: bigint): boolean {
  const receiver = machine.addressOf(to);
  const note = `unfreezeFor${resourceName(resourceWord)}`;
  return operate(machine, frame, { receiver, value: 0n, note }, (depth) =>
    unfreeze(machine.accounts, { owner: frame.context, receiver, resource: resourceV1(resourceWord), depth }),
  ).isDone;
}

/**
 * Returns the expiration time of stake 1.0 in seconds since 1970; 0 without stake. Reference: Program.freezeExpireTime.
 */
export function freezeExpireTime(machine: Machine, frame: CallFrame, to: bigint, kind: bigint): bigint {
  const target = machine.addressOf(to);
  const resource = int32(kind);
  if (target === frame.context) {
    const account = machine.accounts.existing(target);
    const frozen = resource === 0 ? account.frozen[0] : account.accountResource?.frozenBalanceForEnergy;
    if (resource !== 0 && resource !== 1) return 0n;
    return frozen === undefined || frozen.frozenBalance === 0n ? 0n : frozen.expireTime / 1000n;
  }
  const row = machine.state.delegatedResources.get(frame.context + target);
  if (row === undefined) return 0n;
  if (resource === 0) return row.frozenBalanceForBandwidth === 0n ? 0n : row.expireTimeForBandwidth / 1000n;
  if (resource === 1) return row.frozenBalanceForEnergy === 0n ? 0n : row.expireTimeForEnergy / 1000n;
  return 0n;
}

/**
 * FREEZEBALANCEV2: freezes stake 2.0. Returns true for success. Reference: Program.freezeBalanceV2.
 * @throws {VmError} OUT_OF_TIME, since 4.8.2.2: the contract has destroyed itself
 */
export function freezeV2Of(machine: Machine, frame: CallFrame, amount: bigint, resourceWord: bigint): boolean {
  const note = `freezeBalanceV2For${resourceName(resourceWord)}`;
  return operate(machine, frame, { receiver: frame.context, value: amount, note }, () => {
    freezeV2(machine.accounts, frame.context, resourceV2(resourceWord), signedLong(amount));
    if (machine.destroyed.has(frame.context) && hasPassed(machine.state, VERSION.V4_8_2_2)) {
      throw refusedAsTimeout('FreezeBalanceV2 after SELFDESTRUCT');
    }
    return undefined;
  }).isDone;
}

/**
 * UNFREEZEBALANCEV2: starts to unfreeze stake 2.0. Returns true for success. Reference: Program.unfreezeBalanceV2.
 * @throws {VmError} OUT_OF_TIME, since 4.8.2.2: a delegated amount is negative
 */
export function unfreezeV2Of(machine: Machine, frame: CallFrame, amount: bigint, resourceWord: bigint): boolean {
  const note = `unfreezeBalanceV2For${resourceName(resourceWord)}`;
  let due = 0n;
  const { isDone } = operate(machine, frame, { receiver: frame.context, value: amount, note }, () => {
    due = unfreezeV2(machine.accounts, frame.context, resourceV2(resourceWord), signedLong(amount));
    return undefined;
  });
  if (isDone) noteDue(machine, frame, due, 'withdrawExpireUnfreezeWhileUnfreezing');
  return isDone;
}

/**
 * WITHDRAWEXPIREUNFREEZE: withdraws expired unfreezings. Reference: Program.withdrawExpireUnfreeze.
 * @returns the withdrawn amount in SUN; 0 if the operation fails
 * @throws {VmError} OUT_OF_TIME, since 4.8.2.2: a delegated amount is negative
 */
export function withdrawUnfrozenOf(machine: Machine, frame: CallFrame): bigint {
  const fields = { receiver: frame.context, value: 0n, note: 'withdrawExpireUnfreeze' };
  return operate(machine, frame, fields, () => withdrawUnfrozen(machine.accounts, frame.context)).value;
}

/**
 * CANCELALLUNFREEZEV2: stakes pending unfreezings again. Returns true for success. Reference:
 * Program.cancelAllUnfreezeV2Action.
 * @throws {VmError} OUT_OF_TIME, since 4.8.2.2: a delegated amount is negative
 */
export function cancelUnfreezingOf(machine: Machine, frame: CallFrame): boolean {
  const mark = machine.mark();
  machine.nonce++;
  const internal = machine.note(frame, { receiver: frame.context, value: 0n, note: 'cancelAllUnfreezeV2' });
  let due = 0n;
  const { isDone } = attempt(machine, frame, internal, mark, () => {
    const cancelled = cancelUnfreezing(machine.accounts, frame.context);
    due = cancelled.due;
    if (machine.state.rules.reportsRestaked) internal.extra = restakedJson(cancelled);
    return undefined;
  });
  if (isDone) noteDue(machine, frame, due, 'withdrawExpireUnfreezeWhileCanceling');
  return isDone;
}

function restakedJson({ restaked }: Cancelled): string {
  const amounts = Object.entries(ResourceCode).map(([name, code]) => `"${name}":${restaked.get(code) ?? 0n}`);
  return `{${amounts.join(',')}}`;
}

/** DELEGATERESOURCE: delegates stake 2.0. Returns true for success. Reference: Program.delegateResource. */
export function delegateOf(machine: Machine, frame: CallFrame, to: bigint, amount: bigint, kind: bigint): boolean {
  return changeDelegation(machine, frame, { to, amount, kind, note: 'delegateResourceOf', apply: delegate });
}

/** UNDELEGATERESOURCE: undelegates stake 2.0. Returns true for success. Reference: Program.unDelegateResource. */
export function undelegateOf(machine: Machine, frame: CallFrame, to: bigint, amount: bigint, kind: bigint): boolean {
  return changeDelegation(machine, frame, { to, amount, kind, note: 'unDelegateResourceOf', apply: undelegate });
}

function changeDelegation(
  machine: Machine,
  frame: CallFrame,
  loan: { to: bigint; amount: bigint; kind: bigint; note: string; apply: typeof delegate },
): boolean {
  const { to, amount, kind } = loan;
  const receiver = machine.addressOf(to);
  const note = loan.note + resourceName(kind);
  return operate(machine, frame, { receiver, value: amount, note }, () => {
    loan.apply(machine.accounts, {
      owner: frame.context,
      receiver,
      resource: resourceV2(kind),
      amount: signedLong(amount),
    });
    return undefined;
  }).isDone;
}

/**
 * A list of words in memory: its offset in bytes, and its length in words. An operand above 2^31 − 1 becomes 2^31 − 1,
 * as in `DataWord.intValueSafe`.
 */
export interface WordList {
  readonly offset: number;
  readonly length: number;
}

/**
 * VOTEWITNESS: replaces all votes. Returns true for success. Reference: Program.voteWitness.
 * @throws {VmError} the length stored in memory differs from the length operand
 */
export function voteOf(machine: Machine, frame: CallFrame, witnesses: WordList, amounts: WordList): boolean {
  machine.nonce++;
  const internal = machine.note(frame, { receiver: undefined, value: 0n, note: 'voteWitness' });
  if (lengthAt(frame, witnesses.offset) !== witnesses.length || lengthAt(frame, amounts.offset) !== amounts.length) {
    throw failure('TVM VoteWitness: memory array length do not match length parameter!');
  }
  // java-tron does not mark this internal transaction as rejected, although it does so for other failures.
  if (witnesses.length !== amounts.length) return false;
  const mark = machine.mark();
  return attempt(machine, frame, internal, mark, () => {
    const addresses = wordsAt(frame, witnesses);
    const counts = wordsAt(frame, amounts);
    const votes = addresses.map((word, i) => {
      const voteAddress = addressBytes(machine.addressOf(word));
      return Object.assign(new Vote(), { voteAddress, voteCount: signedLong(itemAt(counts, i)) });
    });
    internal.extra = votesJson(votes);
    castVotes(machine.accounts, frame.context, votes);
    return undefined;
  }).isDone;
}

/**
 * WITHDRAWREWARD: withdraws the voting reward. Reference: Program.withdrawReward.
 * @returns the withdrawn amount in SUN; 0 if the operation fails
 */
export function withdrawRewardOf(machine: Machine, frame: CallFrame): bigint {
  const fields = { receiver: frame.context, value: 0n, note: 'withdrawReward' };
  const nowMs = BigInt(machine.block.timestamp) * 1000n;
  return operate(machine, frame, fields, () => withdrawAllowance(machine.accounts, frame.context, nowMs)).value;
}

interface Outcome {
  readonly isDone: boolean;
  /** Amount that the operation moves, in SUN; 0 if it fails or moves no amount. */
  readonly value: bigint;
}

/**
 * Records a stake operation as an internal transaction, and executes it with `apply`. `apply` returns the amount in
 * SUN to record, or undefined to keep the amount in `fields`. If the operation fails, its effects are reverted.
 */
function operate(
  machine: Machine,
  frame: CallFrame,
  fields: { receiver: Address; value: bigint; note: string },
  apply: (depth: number) => bigint | undefined,
): Outcome {
  const mark = machine.mark();
  machine.nonce++;
  const internal = machine.note(frame, { ...fields, value: BigInt.asIntN(64, fields.value) });
  return attempt(machine, frame, internal, mark, apply);
}

function attempt(
  machine: Machine,
  frame: CallFrame,
  internal: InternalCall,
  mark: CallMark,
  apply: (depth: number) => bigint | undefined,
): Outcome {
  const depth = frame.depth + 1;
  try {
    const value = apply(depth);
    machine.keep(mark, depth);
    if (value !== undefined) internal.value = value;
    return { isDone: true, value: value ?? 0n };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    machine.revertTo(mark, depth);
    internal.isRejected = true;
    return { isDone: false, value: 0n };
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ContractValidateError || error instanceof ContractExeError || error instanceof ArithmeticError
  );
}

function noteDue(machine: Machine, frame: CallFrame, due: bigint, note: string): void {
  if (due <= 0n) return;
  machine.nonce++;
  machine.note(frame, { receiver: frame.context, value: due, note });
}

/**
 * Converts a word to a signed long. Reference: DataWord.sValue().longValueExact.
 * @throws {ArithmeticError} the word does not fit a long
 */
function signedLong(word: bigint): bigint {
  const value = BigInt.asIntN(256, word);
  if (BigInt.asIntN(64, value) !== value) throw new ArithmeticError('BigInteger out of long range');
  return value;
}

function int32(word: bigint): number {
  return Number(BigInt.asIntN(32, word));
}

/**
 * Returns the resource code of stake 1.0, or `UNKNOWN_RESOURCE`. Reads only the low 32 bits. Reference:
 * parseResourceCode.
 */
function resourceV1(word: bigint): number {
  const value = int32(word);
  return value === 0 || value === 1 ? value : UNKNOWN_RESOURCE;
}

function resourceV2(word: bigint): number {
  return word <= 2n ? Number(word) : UNKNOWN_RESOURCE;
}

function resourceName(word: bigint): string {
  return ['Bandwidth', 'Energy', 'TronPower'][int32(word)] ?? 'UnknownType';
}

function lengthAt(frame: CallFrame, offset: number): number {
  const word = frame.memory.read(offset, 32);
  for (let i = 0; i < 28; i++) if (word[i] !== 0) return 0x7fffffff;
  const value = Buffer.from(word).readUInt32BE(28);
  return Math.min(value, 0x7fffffff);
}

function wordsAt(frame: CallFrame, { offset, length }: WordList): bigint[] {
  const start = offset + 32;
  if (start > 0x7fffffff || length * 32 > 0x7fffffff) throw new ArithmeticError('integer overflow');
  const bytes = Buffer.from(frame.memory.read(start, length * 32));
  return Array.from({ length }, (_, i) => BigInt(`0x${bytes.toString('hex', i * 32, i * 32 + 32)}`));
}

function votesJson(votes: readonly Vote[]): string {
  const entries = votes.map(
    ({ voteAddress, voteCount }) => `{"vote_address":"${encodeBase58Check(voteAddress)}","vote_count":${voteCount}}`,
  );
  return `{"votes":[${entries.join(',')}]}`;
}
