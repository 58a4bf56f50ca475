import {
  TransactionContractContractType as ContractType,
  type CreateSmartContract,
  type InternalTransaction,
  type ResourceReceipt,
  TransactionResultContractResult as Result,
  type SmartContract,
  TransactionInfoLog,
  type TriggerSmartContract,
} from '../../codec/generated/messages.js';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { Deadline } from '../../primitives/deadline.js';
import { ArithmeticError } from '../../primitives/int64.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { ChainError, ContractValidateError, refuse, unchecked } from '../../state-transition/errors.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import type { State } from '../../state-transition/state/state.js';
import type { TransactionContext } from '../../state-transition/transaction.js';
import type { SmartContractRun } from '../../state-transition/transactions/smart-contract-machine.js';
import {
  alreadyOutOfTime,
  outOfTime,
  refusedAsTimeout,
  UndecidableError,
  VmError,
} from '../../state-transition/vm-error.js';
import { refusedCode, saveCode } from '../machine/contract-rows.js';
import type { CallFrame } from '../machine/frame.js';
import type { VmHooks } from '../machine/hooks.js';
import { internalTransactionOf } from '../machine/internal-transaction.js';
import { type BlockEnvironment, type Interpreter, Machine } from '../machine/machine.js';
import { readRuleSet } from '../machine/rule-set.js';
import { CREATE_DATA } from '../opcodes/prices.js';
import { opcodeNames } from '../opcodes/table.js';
import { failsToStore, storeBeginning } from './broken-store.js';
import { type EnergyBill, newBill } from './energy-limit.js';
import { isConstantCall } from './is-constant.js';
import { markOf, type PrepareOptions, prepareCall, prepareCreation } from './prepare.js';

/** Result of a run, with the data for its settlement and for APIs. */
export interface VmRun extends SmartContractRun {
  /** The called or created contract. */
  readonly contract: Address;
  readonly isRevert: boolean;
  readonly exception: VmError | undefined;
  readonly energyUsed: bigint;
  readonly energyPenalty: bigint;
  /** Contracts to delete, in the order of their self-destructions and without duplicates. */
  readonly deleted: readonly Address[];
  readonly bill: EnergyBill;
}

interface ExecuteOptions {
  readonly interpreter: Interpreter;
  /** Returns the id of a block of the chain on which the transaction is executed. */
  readonly blockId: BlockEnvironment['blockId'];
  readonly hooks?: VmHooks | undefined;
  /** Energy limit of a constant call. */
  readonly constantEnergy?: number;
  /** True to keep the effects of a constant call in the state. The caller must revert them. */
  readonly keepsEffects?: boolean | undefined;
  readonly deadline?: Deadline | undefined;
}

/**
 * Executes a transaction that creates or calls a contract. Its effects remain in the state only if the program
 * succeeds. Reference: RuntimeImpl, VMActuator.
 * @throws {ChainError} the transaction is invalid
 * @throws {UndecidableError} this node cannot determine the result
 */
export function executeSmartContract(state: State, context: TransactionContext, options: ExecuteOptions): VmRun {
  checkAllowed(state, context, options);
  const mark = state.mark();
  const machine = new Machine({
    state,
    rules: readRuleSet(state),
    block: environmentOf(context, options.blockId),
    origin: BigInt(`0x0${context.transaction.owner}`) & WORD_MASK,
    transaction: context.transaction,
    isConstant: options.constantEnergy !== undefined,
    interpreter: options.interpreter,
    hooks: options.hooks,
    deadline: options.deadline,
    nestingMax: nestingOf(context),
  });
  let isKept = false;
  try {
    const bill = newBill();
    const prepared = prepare({ machine, context, bill, constantEnergy: options.constantEnergy });
    const frame = machine.frame(prepared.input);
    const exception = play(machine, frame, context, prepared.isCreation);
    isKept = exception === undefined && !frame.isRevert && (!machine.isConstant || options.keepsEffects === true);
    if (isKept && failsToStore(machine, frame, prepared))
      return runOf(machine, frame, storeBeginning(machine, frame, mark), bill);
    if (isKept) {
      machine.storage.commit();
      machine.accounts.store();
    }
    return runOf(machine, frame, exception, bill);
  } finally {
    machine.storage.release();
    if (!isKept) {
      machine.accounts.release();
      state.revertTo(mark);
    }
  }
}

const WORD_MASK = (1n << 256n) - 1n;

function prepare(options: PrepareOptions) {
  const { contractType, parameter } = options.context.transaction;
  try {
    if (contractType === ContractType.CreateSmartContract) {
      return prepareCreation(options, parameter as CreateSmartContract);
    }
    return prepareCall(options, parameter as TriggerSmartContract);
  } catch (error) {
    if (error instanceof VmError) throw unchecked('RuntimeException', error.text);
    if (error instanceof ArithmeticError) throw unchecked('ArithmeticException', error.message);
    throw error;
  }
}

/** Runs the outermost program. @returns the failure; undefined for success or REVERT */
function play(
  machine: Machine,
  frame: CallFrame,
  context: TransactionContext,
  isCreation: boolean,
): VmError | undefined {
  try {
    if (isTimedOut(machine, context)) {
      frame.energyUsed = frame.energyLimit;
      throw context.block?.isOwn === true ? alreadyOutOfTime() : outOfTime(opcodeNames[frame.code[0] ?? 0] ?? 'STOP');
    }
    machine.play(frame, isCreation ? 'CREATE' : 'CALL');
    if (machine.rules.energyAdjustment) checkTimeAtEnd(machine, frame);
    if (isCreation && !frame.isRevert) keepCode(machine, frame, context);
  } catch (error) {
    if (isStackFull(error)) throw undecidableDepth(context);
    if (!(error instanceof VmError)) throw error;
    // Only failures that end the transaction reach this line (`VmError.endsTransaction`). Before proposal 96, java-tron
    // then keeps the logs in the receipt.
    if (machine.rules.osaka) machine.logs.length = 0;
    machine.reject(0);
    return error;
  }
  const { exception } = frame;
  if (machine.isConstant) {
    if (exception !== undefined) machine.reject(0);
    return exception;
  }
  if (exception === undefined && !frame.isRevert) return undefined;
  machine.logs.length = 0;
  machine.reject(0);
  if (exception !== undefined && exception.code !== 'TRANSFER_FAILED') frame.energyUsed = frame.energyLimit;
  return exception;
}

/**
 * Fails if the time limit is exceeded after the last operation. Reference: VMActuator.execute.
 * @throws {VmError} OUT_OF_TIME
 */
function checkTimeAtEnd({ time }: Machine, frame: CallFrame): void {
  if (time === undefined || !time.isOver()) return;
  frame.energyUsed = frame.energyLimit;
  throw outOfTime(`${opcodeNames[frame.lastOpcode]}(TX_LAST_OP)`);
}

/**
 * Returns true if a signed block contains the result OUT_OF_TIME for the transaction. The program then fails with a
 * timeout, even if this node needs less time.
 */
function isTimedOut({ state, isConstant }: Machine, context: TransactionContext): boolean {
  return !isConstant && !state.rules.debug && markOf(context) === Result.OUT_OF_TIME;
}

/**
 * Maximum depth of nested programs. Before the compatible EVM rules, CREATE2 ignores the depth limit of 64. Init code
 * that creates itself then overflows Java's stack after some thousand levels. The exact number depends on Java's
 * compiler.
 *
 * In a signed block, the result in the block decides: if it is not a stack overflow, the node ignores this limit.
 */
const NESTING_MAX = 512;

function nestingOf(context: TransactionContext): number {
  const mark = markOf(context);
  return mark === undefined || mark === Result.JVM_STACK_OVER_FLOW ? NESTING_MAX : Number.POSITIVE_INFINITY;
}

function isStackFull(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function undecidableDepth({ transaction }: TransactionContext): UndecidableError {
  return new UndecidableError(
    `transaction ${transaction.idHex}: its nested calls overflow the stack of this process, but its result in the block is not a stack overflow; report this transaction as a bug of the node`,
  );
}

/**
 * Charges the energy for the code of a created contract, and stores the code.
 * @throws {VmError} OUT_OF_TIME, since 4.8.2.2, as in java-tron: the contract in the transaction has a value in its
 * field `code_hash` or `trx_hash`
 */
function keepCode(machine: Machine, frame: CallFrame, { transaction }: TransactionContext): void {
  const code = frame.returnData;
  frame.exception ??= refusedCode(machine, code);
  const cost = code.length * CREATE_DATA;
  const left = frame.energyLeft;
  if (left < cost) {
    const what = `'save just created contract code' executing: needEnergy[${cost}], leftEnergy[${left}];`;
    frame.exception ??= new VmError('OUT_OF_ENERGY', `Not enough energy for ${what}`);
    return;
  }
  frame.energyUsed += cost;
  if (!machine.rules.constantinople) return;
  const { newContract } = transaction.parameter as CreateSmartContract;
  if (namesHashes(newContract) && hasPassed(machine.state, VERSION.V4_8_2_2)) {
    frame.energyUsed = frame.energyLimit;
    throw refusedAsTimeout('contract hash fields');
  }
  if (frame.exception === undefined) saveCode(machine, frame.context, code);
}

/**
 * Returns true if the transaction sets the code hash or transaction hash of the new contract. Only the node may set
 * these hashes. Reference: VMActuator.checkContractHashFields.
 */
function namesHashes(contract: SmartContract | undefined): boolean {
  return contract !== undefined && (contract.codeHash.length > 0 || contract.trxHash.length > 0);
}

function runOf(machine: Machine, frame: CallFrame, exception: VmError | undefined, bill: EnergyBill): VmRun {
  const isFailed = exception !== undefined || frame.isRevert;
  const revertText = machine.isConstant ? null : 'REVERT opcode executed';
  return {
    resultCode: frame.isRevert ? Result.REVERT : exception === undefined ? Result.SUCCESS : Result[exception.code],
    runtimeError: exception !== undefined ? exception.text : frame.isRevert ? revertText : null,
    hasException: exception !== undefined,
    isRevert: frame.isRevert,
    exception,
    returnData: frame.returnData,
    contract: frame.context,
    contractAddress: frame.contextBytes,
    logs: machine.logs.map((log) => Object.assign(new TransactionInfoLog(), log)),
    internalTransactions: machine.internal.map(internalTransactionOf) as readonly InternalTransaction[],
    energyUsed: BigInt(frame.energyUsed),
    energyPenalty: BigInt(frame.penalty),
    deleted: isFailed || machine.deleted.length === 0 ? [] : [...new Set(machine.deleted)],
    bill,
  };
}

/** Writes the used energy and the penalty to the receipt. Reference: TransactionTrace.setBill, setPenalty. */
export function noteEnergy(run: VmRun, receipt: ResourceReceipt): void {
  receipt.energyUsageTotal = run.energyUsed < 0n ? 0n : run.energyUsed;
  receipt.energyPenaltyTotal = run.energyPenalty < 0n ? 0n : run.energyPenalty;
}

/**
 * Rejects a transaction whose program must not run. Reference: TransactionTrace.checkIsConstant, RuntimeImpl.
 * @throws {ChainError} the transaction is not allowed
 */
function checkAllowed(state: State, { transaction }: TransactionContext, { constantEnergy }: ExecuteOptions): void {
  const isCall = transaction.contractType === ContractType.TriggerSmartContract;
  if (constantEnergy === undefined && isCall && !state.properties.isOn('ALLOW_TVM_CONSTANTINOPLE')) {
    const { contractAddress, data } = transaction.parameter as TriggerSmartContract;
    const contract = state.contracts.get(toAddress(contractAddress));
    if (contract === undefined) {
      throw new ContractValidateError(`contract: ${encodeBase58Check(contractAddress)} is not in contract store`);
    }
    if (isConstantCall(contract.abi, data)) throw new ChainError('VMIllegalException', 'cannot call constant method');
  }
  const { allowedContracts } = state.rules;
  if (allowedContracts.size > 0 && !allowedContracts.has('VMActuator')) refuse('not exist contract SmartContract');
}

/**
 * Returns the properties of the block that programs can read. Outside of a block, java-tron uses an empty block with
 * height and time 0.
 */
function environmentOf({ block }: TransactionContext, blockId: BlockEnvironment['blockId']): BlockEnvironment {
  if (block === undefined) return { number: 0, timestamp: 0, coinbase: EMPTY_BYTES, blockId };
  return { number: block.number, timestamp: Math.trunc(block.timeMs / 1000), coinbase: block.witness, blockId };
}
