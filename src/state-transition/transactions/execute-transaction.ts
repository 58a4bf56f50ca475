import {
  TransactionResultContractResult as ContractResult,
  type InternalTransaction,
  ResourceReceipt,
  TransactionInfo,
  TransactionInfoCode,
  type TransactionInfoLog,
  TransactionResult,
} from '../../codec/generated/messages.js';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { addressBytes } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES, equalBytes, toHex, toInt64, utf8 } from '../../primitives/bytes.js';
import { adjustBalance, BalanceInsufficientError, burn } from '../balances/balances.js';
import { initializeForkVersion } from '../consensus/fork-versions.js';
import { nextBlockSlotTime } from '../consensus/schedule.js';
import { ChainError, ContractValidateError, ResultDiffersError, withUncheckedArithmetic } from '../errors.js';
import { consumeBandwidth, keepsCloseLimits, RESULT_BYTES_MAX } from '../resources/bandwidth.js';
import type { State } from '../state/state.js';
import { contractHandlers, isSmartContract } from '../system-contracts/table.js';
import type { DecodedTransaction, TransactionContext } from '../transaction.js';
import { withoutSurplusResults } from './decode-transaction.js';
import type { SmartContractMachine } from './smart-contract-machine.js';
import { type FindSigner, validateSignature } from './validate-signature.js';

/** Chain data that the rules need in addition to the state. */
export interface CanonicalChain {
  /**
   * Returns the id of the newest canonical block whose height has these low 16 bits; undefined if there is no such
   * block. Transactions refer to blocks by these bits (TAPOS).
   */
  recentBlockId(numberLow16: number): Uint8Array | undefined;
  hasTransaction(transaction: Pick<DecodedTransaction, 'id' | 'idHex'>): boolean;
  headId(): Uint8Array;
  solidifiedId(): Uint8Array;
}

/** Dependencies of transaction execution that do not change while the node runs. */
export interface Executor {
  readonly chain: CanonicalChain;
  readonly machine: SmartContractMachine;
}

/** Result of one transaction. */
export interface Execution {
  readonly info: TransactionInfo;
  /** Value of the enum `Transaction.Result.contractResult` that the producer writes into the transaction. */
  readonly resultCode: number;
  readonly internalTransactions: readonly InternalTransaction[];
}

interface VerifyOptions {
  /** True if the signatures were already verified, and the permissions have not changed since. */
  readonly isVerified: boolean;
  readonly findSigner?: FindSigner;
}

/** Maximum size of a transaction in bytes. Reference: Constant.TRANSACTION_MAX_BYTE_SIZE. */
const TRANSACTION_BYTES_MAX = 500 * 1024;
/** Maximum expiration time, in ms after the time of the head block. Reference: MAXIMUM_TIME_UNTIL_EXPIRATION. */
const EXPIRATION_MAX_MS = 86_400_000n;

/**
 * Validates and executes one transaction. Does not revert the effects of a failed transaction. Reference:
 * Manager.processTransaction.
 * @throws {ChainError} the transaction is invalid
 * @throws {UndecidableError} this node cannot determine the result
 */
export function executeTransaction(
  executor: Executor,
  state: State,
  received: TransactionContext,
  options: VerifyOptions,
): Execution {
  return withUncheckedArithmetic(() => validateAndExecute(executor, state, received, options));
}

function validateAndExecute(
  executor: Executor,
  state: State,
  received: TransactionContext,
  options: VerifyOptions,
): Execution {
  const context = keepsCloseLimits(state, received.block) ? withoutSurplus(received) : received;
  const { transaction } = context;
  state.trace?.begin();
  const { countsContractsFirst } = state.rules.release.rules;
  if (countsContractsFirst) requireOneContract(transaction);
  checkTapos(executor.chain, transaction);
  checkSizeAndExpiration(state, context);
  if (!countsContractsFirst) requireOneContract(transaction);
  if (executor.chain.hasTransaction(transaction)) {
    throw new ChainError('DupTransactionException', `dup trans : ${transaction.idHex} `);
  }
  if (!options.isVerified) validateSignature(state, transaction, options.findSigner);
  initializeForkVersion(state);
  const receipt = new ResourceReceipt();
  const isFeeForBytes = consumeBandwidth(state, context, receipt);
  const extraFee = takeMultiSignFee(state, transaction) + takeMemoFee(state, transaction);
  const outcome = isSmartContract(transaction.contractType)
    ? runSmartContract(executor, state, context, receipt)
    : runSystemContract(state, context);
  const info = infoOf(state, context, receipt, outcome, { extraFee, isFeeForBytes });
  return { info, resultCode: outcome.resultCode, internalTransactions: outcome.internalTransactions };
}

function withoutSurplus(context: TransactionContext): TransactionContext {
  const transaction = withoutSurplusResults(context.transaction);
  return transaction === context.transaction ? context : { ...context, transaction };
}

interface Outcome {
  readonly resultCode: number;
  readonly result: TransactionResult;
  readonly failure: string | null;
  readonly returnData: Uint8Array;
  readonly contractAddress: Uint8Array;
  readonly logs: readonly TransactionInfoLog[];
  readonly internalTransactions: readonly InternalTransaction[];
}

function runSystemContract(state: State, context: TransactionContext): Outcome {
  const { contractType, parameter } = context.transaction;
  const handler = contractHandlers.get(contractType);
  if (handler === undefined) throw new ContractValidateError(`not exist contract ${contractType}`);
  handler.validate(parameter, state, context);
  const result = new TransactionResult();
  result.fee = handler.fee(state, parameter);
  handler.execute(parameter, state, result, context);
  return {
    resultCode: ContractResult.SUCCESS,
    result,
    failure: null,
    returnData: EMPTY_BYTES,
    contractAddress: EMPTY_BYTES,
    logs: [],
    internalTransactions: [],
  };
}

function runSmartContract(
  { machine }: Executor,
  state: State,
  context: TransactionContext,
  receipt: ResourceReceipt,
): Outcome {
  const run = machine.run(state, context, receipt);
  if (context.block !== undefined) {
    receipt.result = run.resultCode;
    if (context.block.isSigned) checkResult(context.transaction, run.resultCode);
  }
  machine.settle(state, context, run, receipt);
  const hasFailed = run.hasException || (run.runtimeError !== null && run.runtimeError !== '');
  return { ...run, result: new TransactionResult(), failure: hasFailed ? (run.runtimeError ?? '') : null };
}

/**
 * Compares the computed result with the result in a signed block. Reference: TransactionTrace.check.
 * @throws {ResultDiffersError} the results differ, or the block contains no result
 */
function checkResult({ message, idHex }: DecodedTransaction, actual: number): void {
  const expected = message.ret[0]?.contractRet;
  if (expected === undefined) throw new ResultDiffersError(`null resultCode id: ${idHex}`, { idHex, actual });
  if (expected === actual) return;
  const text = `different resultCode txId: ${idHex}, expect: ${resultName(expected)}, actual: ${resultName(actual)}`;
  throw new ResultDiffersError(text, { idHex, actual });
}

/** Returns the name of a `contractResult`; UNRECOGNIZED for an unknown number. */
export function resultName(code: number): string {
  return resultNames.get(code) ?? 'UNRECOGNIZED';
}

const resultNames = new Map<number, string>(Object.entries(ContractResult).map(([name, code]) => [code, name]));

function checkTapos(chain: CanonicalChain, { raw }: DecodedTransaction): void {
  const { refBlockBytes, refBlockHash } = raw;
  const recent =
    refBlockBytes.length === 2
      ? chain.recentBlockId((itemAt(refBlockBytes, 0) << 8) | itemAt(refBlockBytes, 1))
      : undefined;
  const hash = recent?.subarray(8, 16);
  if (hash !== undefined && equalBytes(hash, refBlockHash)) return;
  const what = hash === undefined ? 'block not found, ref block' : 'different block hash,';
  const recentText = hash === undefined ? '' : `recent block ${toHex(hash)}, `;
  const heads = `solid block ${blockText(chain.solidifiedId())} head block ${blockText(chain.headId())}`;
  const text = `Tapos failed, ${what} ${toInt64(refBlockBytes)}, ${toHex(refBlockHash)} , ${recentText}${heads}`;
  throw new ChainError('TaposException', text);
}

function blockText(id: Uint8Array): string {
  return `Num:${toInt64(id.subarray(0, 8))},ID:${toHex(id)}`;
}

function requireOneContract({ raw, idHex }: DecodedTransaction): void {
  const { length } = raw.contract;
  if (length === 1) return;
  const text = `tx ${idHex} contract size should be exactly 1, this is extend feature ,actual :${length}`;
  throw new ChainError('ContractSizeNotEqualToOneException', text);
}

/** Rejects a transaction with an invalid size or expiration time. Reference: Manager.validateCommon. */
function checkSizeAndExpiration(state: State, { transaction, block }: TransactionContext): void {
  const { properties } = state;
  const { size, sizeWithoutResult, idHex, raw } = transaction;
  const withResult = sizeWithoutResult + 2 * RESULT_BYTES_MAX;
  if (keepsCloseLimits(state, block) && withResult > TRANSACTION_BYTES_MAX) {
    const sizes = `the size is ${withResult} bytes, maxTxSize ${TRANSACTION_BYTES_MAX}`;
    throw new ChainError('TooBigTransactionException', `Too big transaction with result, TxId ${idHex}, ${sizes}`);
  }
  if (size > TRANSACTION_BYTES_MAX) {
    const text = state.rules.release.texts.tooBig(idHex, size, TRANSACTION_BYTES_MAX);
    throw new ChainError('TooBigTransactionException', text);
  }
  if (block !== undefined && properties.isOn('CONSENSUS_LOGIC_OPTIMIZATION')) checkNextSlot(state, raw.expiration);
  const head = properties.get('latest_block_header_timestamp');
  if (raw.expiration > head && raw.expiration <= head + EXPIRATION_MAX_MS) return;
  const text = `Transaction expiration, transaction expiration time is ${raw.expiration}, but headBlockTime is ${head}`;
  throw new ChainError('TransactionExpirationException', text);
}

/**
 * Rejects a transaction that expires before the next slot. Reference: TransactionCapsule.checkExpiration.
 * @throws {ChainError} TransactionExpirationException
 */
export function checkNextSlot(state: State, expiration: bigint): void {
  const next = nextBlockSlotTime(state);
  if (expiration >= next) return;
  const text = `Transaction expiration time is ${expiration}, but next slot time is ${next}`;
  throw new ChainError('TransactionExpirationException', text);
}

function takeMultiSignFee(state: State, transaction: DecodedTransaction): bigint {
  if (transaction.message.signature.length <= 1) return 0n;
  return takeFee(state, transaction, state.properties.get('MULTI_SIGN_FEE'), 'multiSign');
}

function takeMemoFee(state: State, transaction: DecodedTransaction): bigint {
  if (transaction.raw.data.length === 0) return 0n;
  return takeFee(state, transaction, state.properties.get('MEMO_FEE'), 'memo fee');
}

function takeFee(state: State, { owner }: DecodedTransaction, fee: bigint, purpose: string): bigint {
  if (fee === 0n || !state.accounts.has(owner)) return fee;
  try {
    adjustBalance(state, owner, -fee);
  } catch (error) {
    if (!(error instanceof BalanceInsufficientError)) throw error;
    const account = encodeBase58Check(addressBytes(owner));
    throw new ChainError(
      'AccountResourceInsufficientException',
      `account ${account} insufficient balance[${fee}] to ${purpose}`,
    );
  }
  burn(state, fee);
  return fee;
}

/**
 * Builds the receipt of a transaction. Internal transactions are added later, when the receipt is stored or sent.
 * Reference: TransactionUtil.buildTransactionInfoInstance.
 */
function infoOf(
  state: State,
  { transaction, block }: TransactionContext,
  receipt: ResourceReceipt,
  { result, failure, returnData, contractAddress, logs }: Outcome,
  { extraFee, isFeeForBytes }: { extraFee: bigint; isFeeForBytes: boolean },
): TransactionInfo {
  const info = new TransactionInfo();
  if (failure !== null) {
    info.result = TransactionInfoCode.FAILED;
    info.resMessage = utf8(failure);
  }
  info.id = transaction.id;
  info.fee = result.fee + receipt.energyFee + receipt.netFee + extraFee;
  if (state.properties.isOn('ALLOW_TRANSACTION_FEE_POOL')) {
    const isTimeout = receipt.result === ContractResult.OUT_OF_TIME;
    info.packingFee = (isFeeForBytes ? receipt.netFee : 0n) + (isTimeout ? 0n : receipt.energyFee);
  }
  info.contractResult = [returnData];
  info.contractAddress = contractAddress;
  info.unfreezeAmount = result.unfreezeAmount;
  info.assetIssueID = result.assetIssueID;
  info.exchangeId = result.exchangeId;
  info.withdrawAmount = result.withdrawAmount;
  info.withdrawExpireAmount = result.withdrawExpireAmount;
  info.cancelUnfreezeV2Amount = result.cancelUnfreezeV2Amount;
  info.exchangeReceivedAmount = result.exchangeReceivedAmount;
  info.exchangeInjectAnotherAmount = result.exchangeInjectAnotherAmount;
  info.exchangeWithdrawAnotherAmount = result.exchangeWithdrawAnotherAmount;
  info.shieldedTransactionFee = result.shieldedTransactionFee;
  info.orderId = result.orderId;
  info.orderDetails = result.orderDetails;
  info.log = [...logs];
  if (block !== undefined) {
    info.blockNumber = BigInt(block.number);
    info.blockTimeStamp = BigInt(block.timeMs);
  }
  info.receipt = receipt;
  return info;
}
