import { keccak256 } from '../../crypto/hash.js';
import type { Address } from '../../primitives/address.js';
import { addressBytes } from '../../primitives/address.js';
import { concatBytes, EMPTY_BYTES, fromHex, fromInt64 } from '../../primitives/bytes.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { refusedAsTimeout, staticViolation } from '../../state-transition/vm-error.js';
import type { CallKind } from '../machine/call-request.js';
import type { CallFrame } from '../machine/frame.js';
import { CALL_DEPTH_MAX, type Machine } from '../machine/machine.js';
import { callContract } from './call-contract.js';
import { createContract } from './create-contract.js';
import type { OpRun, Run } from './op-run.js';
import { STIPEND } from './prices.js';
import { canMoveStake, canSelfDestruct, moveStake, selfDestruct } from './self-destruct.js';

/** Calls, creations, event logs, and operations that end a program. Reference: OperationActions. */
export const calls = {
  stop: (run) => {
    run.frame.returnData = EMPTY_BYTES;
    run.isStopped = true;
  },
  callToken: (run) => callOf(run, 'CALLTOKEN'),
  create: (run) => {
    if (run.frame.isStatic) throw staticViolation();
    const value = run.pop();
    const offset = run.popInt();
    run.push(createOf(run.machine, run.frame, value, offset, run.popInt()));
  },
  call: (run) => callOf(run, 'CALL'),
  callCode: (run) => callOf(run, 'CALLCODE'),
  end,
  delegateCall: (run) => callOf(run, 'DELEGATECALL'),
  create2: (run) => {
    if (run.frame.isStatic) throw staticViolation();
    const value = run.pop();
    const offset = run.popInt();
    const size = run.popInt();
    run.push(create2Of(run.machine, run.frame, value, offset, size, run.pop()));
  },
  staticCall: (run) => callOf(run, 'STATICCALL'),
  revert: (run) => {
    end(run);
    run.frame.isRevert = true;
  },
  selfDestruct: (run) => {
    if (run.frame.isStatic) throw staticViolation();
    if (canSelfDestruct(run.machine, run.frame)) selfDestruct(run.machine, run.frame, run.pop());
    else run.frame.isRevert = true;
    run.isStopped = true;
  },
  selfDestructRestricted(run) {
    const { machine, frame } = run;
    if (frame.isStatic) throw staticViolation();
    if (canMoveStake(machine, frame)) moveStake(machine, frame, run.pop());
    else frame.isRevert = true;
    run.isStopped = true;
  },
} satisfies Record<string, Run>;

function end(run: OpRun): void {
  const offset = run.popInt();
  run.frame.returnData = run.frame.memory.read(offset, run.popInt());
  run.isStopped = true;
}

/** Returns the operation of LOG0 to LOG4. @param topicCount 0 to 4 */
export function logOpcodes(topicCount: number): Run {
  return (run) => {
    const { machine, frame } = run;
    if (frame.isStatic) throw staticViolation();
    const offset = run.popInt();
    const size = run.popInt();
    const topics: Uint8Array[] = [];
    for (let i = 0; i < topicCount; i++) topics.push(run.popBytes());
    machine.logs.push({
      address: frame.contextBytes.subarray(1),
      topics,
      data: frame.memory.read(offset, size),
    });
  };
}

function callOf(run: OpRun, kind: CallKind): void {
  const { machine, frame } = run;
  run.pop();
  const address = run.pop();
  const hasValue = kind !== 'DELEGATECALL' && kind !== 'STATICCALL';
  const value = hasValue ? run.pop() : 0n;
  if (frame.isStatic && value !== 0n && kind !== 'CALLCODE') throw staticViolation();
  const energy = run.callEnergy + (value === 0n ? 0 : STIPEND);
  const tokenId = kind === 'CALLTOKEN' ? run.pop() : 0n;
  const inOffset = run.popInt32();
  const inSize = run.popInt32();
  const outOffset = run.popInt32();
  const outSize = run.popInt32();
  if (outSize !== 0) frame.memory.extend(outOffset, outSize);
  const isTokenMessage = kind === 'CALLTOKEN' && machine.rules.multiSign;
  const request = { kind, energy, address, value, tokenId, isTokenMessage, inOffset, inSize, outOffset, outSize };
  run.pushBoolean(callContract(machine, frame, request));
}

/** CREATE: derives the address of the contract from transaction id and nonce. Reference: Program.createContract. */
function createOf(machine: Machine, frame: CallFrame, value: bigint, offset: number, size: number): bigint {
  frame.returnBuffer = EMPTY_BYTES;
  if (frame.depth === CALL_DEPTH_MAX) return 0n;
  const code = frame.memory.read(offset, size);
  const address = addressFrom(machine, concatBytes(machine.transactionId, fromInt64(machine.nonce)));
  return createContract(machine, frame, { kind: 'CREATE', value, code, address });
}

/**
 * Executes `CREATE2`. Before proposal 96, this operation does not clear the return data of the last call. Reference:
 * Program.createContract2.
 * @throws {VmError} OUT_OF_TIME: the call depth is the maximum, since block version 4.8.1.1. Under proposal 96 or the
 * compatible EVM rules, the result is 0 instead
 */
function create2Of(
  machine: Machine,
  frame: CallFrame,
  value: bigint,
  offset: number,
  size: number,
  salt: bigint,
): bigint {
  const { rules } = machine;
  if (rules.osaka) frame.returnBuffer = EMPTY_BYTES;
  if (frame.depth === CALL_DEPTH_MAX) {
    if (rules.compatibleEvm || rules.osaka) return 0n;
    // java-tron does not check the depth here, so Java's stack overflows in very deep calls. Since block version
    // 4.8.1.1, java-tron reports a timeout instead.
    if (hasPassed(machine.state, VERSION.V4_8_1_1)) throw refusedAsTimeout('create2 executing');
  }
  const sender = rules.istanbul ? frame.context : machine.addressOf(frame.caller);
  const code = frame.memory.read(offset, size);
  const saltBytes = fromHex(salt.toString(16).padStart(64, '0'));
  const address = addressFrom(machine, concatBytes(addressBytes(sender), saltBytes, keccak256(code)));
  return createContract(machine, frame, { kind: 'CREATE2', value, code, address });
}

function addressFrom({ state }: Machine, source: Uint8Array): Address {
  const hash = Buffer.from(keccak256(source)).toString('hex', 12);
  return (state.rules.addressPrefix.toString(16) + hash) as Address;
}
