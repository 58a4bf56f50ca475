import {
  ReturnResponse_code as Code,
  TransactionContractContractType as ContractType,
  CreateSmartContract as CreateMessage,
  type CreateSmartContract,
  type EstimateEnergyMessage,
  Return,
  SmartContract,
  type Transaction,
  TransactionExtention,
  TransactionResult,
  TransactionResultCode,
  type TriggerSmartContract,
} from '../../codec/generated/messages.js';
import { toAddress } from '../../primitives/address.js';
import { toHex, utf8 } from '../../primitives/bytes.js';
import { Deadline } from '../../primitives/deadline.js';
import { min64 } from '../../primitives/int64.js';
import { onFirstUseOf } from '../../primitives/on-first-use.js';
import { SELECTOR_BYTES } from '../../primitives/units.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import { refuse } from '../../state-transition/errors.js';
import { isValidateError, javaError } from '../../state-transition/java-errors.js';
import { VmError } from '../../state-transition/vm-error.js';
import {
  type ConstantCall,
  type ConstantContext,
  type ConstantLimits,
  type ConstantResult,
  callConstant,
  estimateEnergy,
} from '../../vm/smart-contract/constant.js';
import { isConstantCall } from '../../vm/smart-contract/is-constant.js';
import type { ApiContext, ChainView, StoredBytes } from '../context/api-context.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { newestBytes } from './blocks.js';
import { buildTransaction, rawOf } from './build-transaction.js';
import { transactionId } from './pending-transactions.js';

/**
 * Response to a call. The fields are set one by one. If the call fails, the response contains the fields that were
 * set before the failure.
 */
export interface CallReply {
  readonly extention: TransactionExtention;
  readonly result: Return;
}

export function newCallReply(): CallReply {
  return { extention: new TransactionExtention(), result: new Return() };
}

/**
 * Runs a call or a contract creation, and discards its changes to the state. Reference: Wallet.triggerConstantContract.
 * @returns the transaction of the call, with its result
 * @throws {ChainError | JavaError | VmError} the call is invalid, or its run ends with a Java exception
 * @throws {BudgetExceededError} the call needs more time than this thread allows
 */
export function callConstantContract(
  api: ApiContext,
  view: ChainView,
  message: TriggerSmartContract,
  reply: CallReply,
): Transaction {
  const isDeployment = message.contractAddress.length === 0;
  if (!isDeployment && !view.state.contracts.has(toAddress(message.contractAddress))) {
    refuse('Smart contract is not exist.');
  }
  const transaction = isDeployment
    ? buildTransaction(api, view, ContractType.CreateSmartContract, deploymentOf(message))
    : buildTransaction(api, view, ContractType.TriggerSmartContract, message);
  return callBuilt(api, view, { message, transaction, reply });
}

/**
 * Builds a transaction that calls a contract. If the ABI marks the function as constant, also runs the call. Reference:
 * Wallet.triggerContract.
 * @throws {ChainError | JavaError | VmError} the call is invalid, or its run ends with a Java exception
 * @throws {BudgetExceededError} the call needs more time than this thread allows
 */
export function triggerContract(
  api: ApiContext,
  view: ChainView,
  call: { readonly message: TriggerSmartContract; readonly feeLimit: bigint; readonly reply: CallReply },
): Transaction {
  const { message, feeLimit, reply } = call;
  const transaction = buildTransaction(api, view, ContractType.TriggerSmartContract, message);
  rawOf(transaction).feeLimit = feeLimit;
  const key = toAddress(message.contractAddress);
  if (view.state.contracts.get(key) === undefined) refuse('No contract or not a valid smart contract');
  if (!isConstantCall(view.state.abis.get(key), message.data)) return transaction;
  return callBuilt(api, view, { message, transaction, reply });
}

/**
 * Estimates the energy of a call or contract creation. Reference: Wallet.estimateEnergy.
 * @returns the result of the last run; a failed call has no estimate
 * @throws {ChainError | JavaError | VmError} the node does not estimate energy, or the call cannot start
 * @throws {BudgetExceededError} the call needs more time than this thread allows
 */
export function estimateCall(
  api: ApiContext,
  view: ChainView,
  message: TriggerSmartContract,
  reply: { readonly estimate: EstimateEnergyMessage; readonly result: Return },
): ConstantResult {
  const { settings } = api;
  if (!settings.estimatesEnergy) refuse('this node does not support estimate energy');
  if (!settings.supportsConstant) {
    refuse('this node does not support constant, so estimate energy cannot work');
  }
  const { result, energyRequired } = withinBudget(api, message, (hasTime) =>
    estimateEnergy(
      view.state,
      callOf(message, unbuilt(api, view, message)),
      contextOf(view),
      () => hasTime(limitsOf(api, view)),
      settings.estimateRetries,
    ),
  );
  if (result.message !== null) reply.result.message = utf8(result.message);
  if (energyRequired === undefined) {
    if (result.message !== null) reply.result.code = Code.CONTRACT_EXE_ERROR;
    return result;
  }
  reply.result.result = true;
  reply.estimate.energyRequired = energyRequired;
  return result;
}

/** Block fields that a program sees during a call in place of the fields of the head block. */
export type SeenBlock = Partial<Pick<ConstantContext['block'], 'number' | 'timeMs' | 'witness'>>;

/**
 * Runs a call or a contract creation, and discards its changes to the state. `energyMax` reduces the energy limit.
 * `block` replaces fields of the block that the program sees. If the program fails, the result contains the failure.
 * @throws {ChainError} the call cannot start
 * @throws {BudgetExceededError} the call needs more time than this thread allows
 */
export function runConstant(
  api: ApiContext,
  view: ChainView,
  message: TriggerSmartContract,
  { energyMax, block }: { readonly energyMax?: bigint | undefined; readonly block?: SeenBlock | undefined },
): ConstantResult {
  if (!api.settings.supportsConstant) refuse('this node does not support constant');
  const context = contextOf(view);
  const limits = limitsOf(api, view);
  const energy = energyMax === undefined ? limits.energy : min64(energyMax, limits.energy);
  return withinBudget(api, message, (hasTime) => ({
    result: callConstant(
      view.state,
      callOf(message, unbuilt(api, view, message)),
      { ...context, block: { ...context.block, ...block } },
      hasTime({ ...limits, energy }),
    ),
  })).result;
}

/** Writes the failure of a call into its response. @throws `error` itself if it has no corresponding Java exception */
export function noteFailure(result: Return, error: unknown): void {
  const found = javaError(error);
  if (found === undefined) throw error;
  result.result = false;
  if (isValidateError(found)) {
    result.code = Code.CONTRACT_VALIDATE_ERROR;
    result.message = utf8(found.text ?? '');
    return;
  }
  result.code = Code.OTHER_ERROR;
  const text = found.text === null ? null : found.text.replaceAll('"', "'");
  result.message = utf8(`class ${found.javaClass} : ${text}`);
}

interface BuiltCall {
  readonly message: TriggerSmartContract;
  readonly transaction: Transaction;
  readonly reply: CallReply;
}

function callBuilt(api: ApiContext, view: ChainView, { message, transaction, reply }: BuiltCall): Transaction {
  if (!api.settings.supportsConstant) refuse('this node does not support constant');
  const feeLimit = transaction.rawData?.feeLimit;
  const { result: run } = withinBudget(api, message, (hasTime) => ({
    result: callConstant(
      view.state,
      callOf(message, () => transaction, feeLimit),
      contextOf(view),
      hasTime(limitsOf(api, view)),
    ),
  }));
  if (run.exception !== undefined) throw run.exception;
  const { extention, result } = reply;
  extention.energyUsed = run.energyUsed;
  extention.energyPenalty = run.energyPenalty;
  extention.constantResult = [run.returnData];
  extention.logs = [...run.logs];
  extention.internalTransactions = [...run.internalTransactions];
  if (run.message !== null) result.message = utf8(run.message);
  transaction.ret = [outcomeOf(run)];
  return transaction;
}

function outcomeOf({ message }: ConstantResult): TransactionResult {
  const ret = message === null ? TransactionResultCode.SUCESS : TransactionResultCode.FAILED;
  return Object.assign(new TransactionResult(), { ret });
}

/**
 * Returns a function that builds the transaction of a call. The TVM calls this function only if the program reads the
 * transaction id.
 */
function unbuilt(api: ApiContext, view: ChainView, message: TriggerSmartContract): () => Transaction {
  return () => buildTransaction(api, view, ContractType.TriggerSmartContract, message);
}

/**
 * Returns the call in the form in which the TVM runs it.
 * @param transaction builds the transaction; called only if the program reads the transaction id
 */
function callOf(message: TriggerSmartContract, transaction: () => Transaction, feeLimit = 0n): ConstantCall {
  let id: Uint8Array | undefined;
  return {
    owner: message.ownerAddress,
    contractAddress: message.contractAddress,
    data: message.data,
    callValue: message.callValue,
    tokenValue: message.callTokenValue,
    tokenId: message.tokenId,
    feeLimit,
    // Computes the id on demand, because few programs read it, and hashing takes longer than most calls.
    transactionId: () => {
      id ??= transactionId(transaction());
      return id;
    },
  };
}

/** Returns the block data that a program sees: the data of the view's head block. */
export function contextOf(view: ChainView): ConstantContext {
  return { block: headContext(newestBytes(view)), blockId: (number) => view.blockIdAt(number) };
}

/** Returns the block data for programs. A view always returns the same object for its head block. */
const headContext = onFirstUseOf((stored: StoredBytes): ConstantContext['block'] => {
  const { number, timeMs, raw, isSigned } = decodeBlock(stored.block);
  return { number, timeMs, witness: raw.witnessAddress, parentId: raw.parentHash, isSigned };
});

/**
 * Returns the energy and time limits of a call. If no time limit is configured, uses the limit of a transaction. With
 * the option `--debug`, there is no time limit. Reference: VMActuator.calculateCpuLimitInUs
 */
function limitsOf(api: ApiContext, { state }: ChainView): ConstantLimits {
  const energy = api.settings.constantEnergyMax;
  if (state.rules.debug) return { energy };
  const ms = api.settings.constantCallMs || state.properties.number('MAX_CPU_TIME_OF_ONE_TX');
  return { energy, deadline: new Deadline(Date.now() + ms) };
}

/**
 * Runs a call within the time budget of this thread.
 * @throws {BudgetExceededError} the call needs more time; it must run again in the call pool (worker threads)
 */
function withinBudget<R extends { readonly result: ConstantResult }>(
  { callBudget }: ApiContext,
  { ownerAddress, contractAddress, data }: TriggerSmartContract,
  run: (hasTime: (limits: ConstantLimits) => ConstantLimits) => R,
): R {
  if (callBudget === undefined) return run((limits) => limits);
  // Calls of one function take about the same time, so the key of a call is contract and function. The key of a
  // contract creation is the owner address.
  const key =
    contractAddress.length === 0
      ? toHex(ownerAddress)
      : toHex(contractAddress) + toHex(data.subarray(0, SELECTOR_BYTES));
  callBudget.check(key);
  const started = Date.now();
  const deadline = new Deadline(started + callBudget.ms);
  let isCut = false;
  try {
    const result = run((limits) => {
      isCut = limits.deadline === undefined || limits.deadline.timeMs > deadline.timeMs;
      return isCut ? { energy: limits.energy, deadline } : limits;
    });
    if (isCut && isOutOfTime(result.result.exception)) throw new BudgetExceededError(key);
    // Records every duration, because a completed call may also have taken longer than the budget.
    callBudget.note(key, Date.now() - started);
    return result;
  } catch (error) {
    throw isCut && isOutOfTime(error) ? new BudgetExceededError(key) : error;
  }
}

function isOutOfTime(error: unknown): boolean {
  return error instanceof VmError && error.code === 'OUT_OF_TIME';
}

/** Returns the contract creation for a call that has no contract address. */
export function deploymentOf(message: TriggerSmartContract): CreateSmartContract {
  const newContract = Object.assign(new SmartContract(), {
    originAddress: message.ownerAddress,
    bytecode: message.data,
    callValue: message.callValue,
    consumeUserResourcePercent: 100n,
    originEnergyLimit: 1n,
  });
  return Object.assign(new CreateMessage(), {
    ownerAddress: message.ownerAddress,
    newContract,
    callTokenValue: message.callTokenValue,
    tokenId: message.tokenId,
  });
}
