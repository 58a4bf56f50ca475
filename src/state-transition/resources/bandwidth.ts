import {
  type Account,
  TransactionContractContractType as ContractType,
  ResourceCode,
  type ResourceReceipt,
  TransactionResult,
  type TransferAssetContract,
  type TransferContract,
} from '../../codec/generated/messages.js';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import { byteStringText } from '../../java-compat/byte-string.js';
import { toLong } from '../../java-compat/double.js';
import { bucketsAfterPutAll, JavaHashMap, javaHashOfText } from '../../java-compat/hash-map.js';
import { type Address, addressBytes, toAddress } from '../../primitives/address.js';
import { toHex, toUtf8, utf8 } from '../../primitives/bytes.js';
import { wrap64 } from '../../primitives/int64.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { adjustBalanceOf, BalanceInsufficientError, burn, payIntoPool } from '../balances/balances.js';
import { ChainError, ContractValidateError } from '../errors.js';
import type { State } from '../state/state.js';
import type { BlockContext, DecodedTransaction, TransactionContext } from '../transaction.js';
import { arithmeticOf, hardenedShare, type LongArithmetic } from './long-arithmetic.js';
import { allFrozenForBandwidth } from './stake.js';
import { addUsage, decay, headSlot, increaseOf, recovery } from './usage.js';

/**
 * Maximum size of a transaction's results, in bytes per contract. Bandwidth for this size is charged before the results
 * exist. Reference: MAX_RESULT_SIZE_IN_TX.
 */
export const RESULT_BYTES_MAX = 64;

/**
 * Size of the result code in an encoded result, in bytes. The check of the results' size includes the code, although
 * the code is added to the result after this check. Reference: MAX_CONTRACT_RESULT_SIZE, PER_SIGN_LENGTH.
 */
const RESULT_CODE_BYTES = 2;

/**
 * Charges a transaction's bandwidth to the first source that suffices: the asset issuer's bandwidth (TRC10 transfers
 * only), the owner's staked bandwidth, free bandwidth, balance. A transaction that creates an account uses only staked
 * bandwidth or balance. Reference: BandwidthProcessor.consume.
 * @returns false if the transaction creates an account, otherwise true
 * @throws {ContractValidateError | ChainError} the account or the asset does not exist, the transaction or its result
 * is too large, or bandwidth and balance are not sufficient
 */
export function consumeBandwidth(state: State, context: TransactionContext, receipt: ResourceReceipt): boolean {
  const { transaction, block } = context;
  if (block === undefined && state.rules.release.rules.limitsPending) checkResultSize(transaction);
  if (transaction.resultSize > RESULT_BYTES_MAX * transaction.raw.contract.length) {
    throw new ChainError('TooBigTransactionResultException', 'too big transaction result');
  }
  if (transaction.contractType === ContractType.ShieldedTransferContract) return true;
  const supportsVm = state.properties.isOn('ALLOW_CREATION_OF_CONTRACTS');
  const bytes = BigInt(supportsVm ? transaction.sizeWithoutResult + RESULT_BYTES_MAX : transaction.size);
  receipt.netUsage = bytes;
  receipt.netFee = 0n;
  const { owner } = transaction;
  const account = state.account(owner);
  if (account === undefined) {
    throw new ContractValidateError(`account [${encodeBase58Check(addressBytes(owner))}] does not exist`);
  }
  const use: BandwidthUse = { state, owner, account, bytes, now: headSlot(state) };
  if (createsAccount(state, transaction)) {
    if (keepsCloseLimits(state, block)) checkCreatingSize(state, transaction);
    payForNewAccount(use, receipt);
    return false;
  }
  if (transaction.contractType === ContractType.TransferAssetContract) {
    if (useAssetBandwidth(use, transaction.parameter as TransferAssetContract)) return true;
  }
  if (useStaked(use, bytes) || useFree(use) || payForBytes(use, receipt)) return true;
  throw insufficient(owner, bytes, feeForBytes(use));
}

/**
 * Returns true if the size limits of proposal 88 apply. For pending transactions (`block` is undefined), they apply
 * in releases with `limitsPending`. For transactions of a block, they apply after the approval of the proposal.
 */
export function keepsCloseLimits({ properties, rules }: State, block: BlockContext | undefined): boolean {
  return block === undefined ? rules.release.rules.limitsPending : properties.isOn('CONSENSUS_LOGIC_OPTIMIZATION');
}

/**
 * Rejects a transaction with results that are too large. Reference: getResultSizeWithMaxContractRet.
 * @throws {ChainError} TooBigTransactionResultException
 */
function checkResultSize({ message, raw, idHex }: DecodedTransaction): void {
  const sizes = message.ret.map((result) => {
    const rest = result.clone();
    rest.contractRet = 0;
    return TransactionResult.encode(rest).length + RESULT_CODE_BYTES;
  });
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (size <= RESULT_BYTES_MAX * raw.contract.length) return;
  const limits = `the result size is ${size} bytes, maxResultSize ${RESULT_BYTES_MAX}`;
  throw new ChainError('TooBigTransactionResultException', `Too big transaction result, TxId ${idHex}, ${limits}`);
}

/**
 * Rejects a transaction that creates an account and is too large. Results and signatures do not count. Reference:
 * MAX_CREATE_ACCOUNT_TX_SIZE.
 * @throws {ChainError} TooBigTransactionException
 */
function checkCreatingSize({ properties }: State, { sizeWithoutResult, message, idHex }: DecodedTransaction): void {
  const size = BigInt(sizeWithoutResult - message.signature.length * SIGNATURE_BYTES);
  const max = properties.get('MAX_CREATE_ACCOUNT_TX_SIZE');
  if (size <= max) return;
  const sizes = `the size is ${size} bytes, maxTxSize ${max}`;
  throw new ChainError('TooBigTransactionException', `Too big new account transaction, TxId ${idHex}, ${sizes}`);
}

interface BandwidthUse {
  readonly state: State;
  readonly owner: Address;
  /**
   * The owner's account, which must not be modified. A function that charges the account loads a copy of it for
   * writing.
   */
  readonly account: Account;
  readonly bytes: bigint;
  /** Slot of the head block. Usage is computed at this slot. */
  readonly now: bigint;
}

/** Returns an account's daily bandwidth from stake, in bytes. Reference: BandwidthProcessor.calculateGlobalNetLimit. */
export function totalBandwidthLimit({ properties }: State, account: Account): bigint {
  const frozen = allFrozenForBandwidth(account);
  const limit = properties.get('TOTAL_NET_LIMIT');
  const weight = properties.get('TOTAL_NET_WEIGHT');
  const isHardened = properties.isOn('ALLOW_HARDEN_RESOURCE_CALCULATION');
  if (properties.supportsUnfreezeDelay()) {
    if (weight === 0n) return 0n;
    if (isHardened) return hardenedShare(frozen, limit, SUN_PER_TRX * weight);
    return toLong((Number(frozen) / Number(SUN_PER_TRX)) * (Number(limit) / Number(weight)));
  }
  if (frozen < SUN_PER_TRX) return 0n;
  if (weight === 0n || (properties.isOn('ALLOW_NEW_REWARD') && weight <= 0n)) return 0n;
  if (isHardened) return hardenedShare(frozen / SUN_PER_TRX, limit, weight);
  return toLong(Number(frozen / SUN_PER_TRX) * (Number(limit) / Number(weight)));
}

/**
 * Updates an account's staked bandwidth usage to the current slot. Reference:
 * BandwidthProcessor.updateUsageForDelegated.
 */
export function updateStakedUsage(state: State, account: Account): void {
  const { netUsage, latestConsumeTime } = account;
  const step = { lastUsage: netUsage, usage: 0n, lastTime: latestConsumeTime, now: headSlot(state) };
  account.netUsage = increaseOf(state, account, ResourceCode.BANDWIDTH, step);
}

/**
 * Updates all bandwidth usages of an account to the current slot: staked bandwidth, free bandwidth, and the free
 * bandwidth of each asset. Reference: BandwidthProcessor.updateUsage.
 */
export function updateAllUsage(state: State, account: Account): void {
  const now = headSlot(state);
  const math = arithmeticOf(state.properties);
  updateStakedUsage(state, account);
  account.freeNetUsage = decay(math, account.freeNetUsage, account.latestConsumeFreeTime, now);
  if (state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n) {
    decayAssetUsage(math, account.freeAssetNetUsage, account.latestAssetOperationTime, [...account.asset.keys()], now);
  }
  decayAssetUsage(math, account.freeAssetNetUsageV2, account.latestAssetOperationTimeV2, tokenIds(account), now);
}

/**
 * Returns the ids of tokens that an account owns or has used. The order is the iteration order of java-tron's hash
 * map, because API answers show this order.
 */
function tokenIds({ assetV2, freeAssetNetUsageV2 }: Account): string[] {
  const ids = new JavaHashMap<string, undefined>(javaHashOfText, bucketsAfterPutAll(assetV2.size));
  for (const id of assetV2.keys()) ids.set(id, undefined);
  for (const id of freeAssetNetUsageV2.keys()) ids.set(id, undefined);
  return ids.entries().map(([id]) => id);
}

function decayAssetUsage(
  math: LongArithmetic,
  usage: Map<string, bigint>,
  times: Map<string, bigint>,
  ids: readonly string[],
  now: bigint,
): void {
  for (const id of ids) usage.set(id, decay(math, usage.get(id) ?? 0n, times.get(id) ?? 0n, now));
}

/** Returns true if a transaction creates its receiver's account. Reference: contractCreateNewAccount. */
function createsAccount(state: State, { contractType, parameter }: DecodedTransaction): boolean {
  if (contractType === ContractType.AccountCreateContract) return true;
  const isTransfer =
    contractType === ContractType.TransferContract || contractType === ContractType.TransferAssetContract;
  return isTransfer && !state.accounts.has(toAddress((parameter as TransferContract).toAddress));
}

function payForNewAccount(use: BandwidthUse, receipt: ResourceReceipt): void {
  const { state, owner, bytes } = use;
  const cost = wrap64(bytes * state.properties.get('CREATE_NEW_ACCOUNT_BANDWIDTH_RATE'));
  if (useStaked(use, cost)) {
    receipt.netUsage = cost;
    return;
  }
  const fee = state.properties.get('CREATE_ACCOUNT_FEE');
  if (!takeFee(use, fee, burn)) throw insufficient(owner, bytes, fee);
  receipt.netUsage = 0n;
  receipt.netFee = fee;
  state.properties.add('TOTAL_CREATE_ACCOUNT_COST', fee);
}

/** Returns the fee in SUN for a transaction's bytes. As in java-tron, an overflow is not checked. */
function feeForBytes({ state, bytes }: BandwidthUse): bigint {
  return wrap64(state.properties.get('TRANSACTION_FEE') * bytes);
}

function payForBytes(use: BandwidthUse, receipt: ResourceReceipt): boolean {
  const { state } = use;
  const fee = feeForBytes(use);
  if (!takeFee(use, fee, payIntoPool)) return false;
  receipt.netUsage = 0n;
  receipt.netFee = fee;
  state.properties.add('TOTAL_TRANSACTION_COST', fee);
  return true;
}

/**
 * Charges a fee in SUN to the owner's balance and passes it to `receive`. If the fee is 0, does not store the account,
 * as in java-tron. A fee below 0, which is the result of an overflow, is added to the balance. Reference:
 * ResourceProcessor.consumeFeeForBandwidth, consumeFeeForNewAccount.
 * @returns false if the owner's balance is too small; for a fee below 0, false if the blackhole account's balance is
 * too small
 */
function takeFee({ state, owner }: BandwidthUse, fee: bigint, receive: typeof burn): boolean {
  if (fee === 0n) return true;
  const account = state.existingAccountToWrite(owner);
  account.latestOprationTime = state.properties.get('latest_block_header_timestamp');
  try {
    adjustBalanceOf(state, owner, account, -fee);
    receive(state, fee);
    return true;
  } catch (error) {
    if (error instanceof BalanceInsufficientError) return false;
    throw error;
  }
}

function useStaked({ state, owner, account: found, now }: BandwidthUse, bytes: bigint): boolean {
  const usage = currentUsage(state, found, now);
  if (bytes > wrap64(totalBandwidthLimit(state, found) - usage)) return false;
  const account = state.existingAccountToWrite(owner);
  addStakedUsage(state, account, usage, bytes, now);
  account.latestOprationTime = state.properties.get('latest_block_header_timestamp');
  state.saveAccount(owner, account);
  return true;
}

function currentUsage(state: State, account: Account, now: bigint): bigint {
  const { netUsage, latestConsumeTime } = account;
  if (!state.properties.supportsUnfreezeDelay())
    return decay(arithmeticOf(state.properties), netUsage, latestConsumeTime, now);
  return recovery(arithmeticOf(state.properties), account, ResourceCode.BANDWIDTH, {
    lastUsage: netUsage,
    lastTime: latestConsumeTime,
    now,
  });
}

function addStakedUsage(state: State, account: Account, usage: bigint, bytes: bigint, now: bigint): void {
  const { netUsage, latestConsumeTime } = account;
  account.netUsage = state.properties.supportsUnfreezeDelay()
    ? increaseOf(state, account, ResourceCode.BANDWIDTH, {
        lastUsage: netUsage,
        usage: bytes,
        lastTime: latestConsumeTime,
        now,
      })
    : addUsage(arithmeticOf(state.properties), usage, bytes);
  account.latestConsumeTime = now;
}

function useFree({ state, owner, account: found, bytes, now }: BandwidthUse): boolean {
  const { properties } = state;
  const math = arithmeticOf(properties);
  const usage = decay(math, found.freeNetUsage, found.latestConsumeFreeTime, now);
  if (bytes > properties.get('FREE_NET_LIMIT') - usage) return false;
  const shared = decay(math, properties.get('PUBLIC_NET_USAGE'), properties.get('PUBLIC_NET_TIME'), now);
  if (bytes > properties.get('PUBLIC_NET_LIMIT') - shared) return false;
  const account = state.existingAccountToWrite(owner);
  account.freeNetUsage = addUsage(math, usage, bytes);
  account.latestConsumeFreeTime = now;
  account.latestOprationTime = properties.get('latest_block_header_timestamp');
  properties.set('PUBLIC_NET_USAGE', addUsage(math, shared, bytes));
  properties.set('PUBLIC_NET_TIME', now);
  state.saveAccount(owner, account);
  return true;
}

/**
 * Charges the bandwidth of a token transfer to the token's issuer. The asset limits the bandwidth of all senders
 * together and of each sender. Returns false without a charge if a limit would be exceeded, or if the issuer has too
 * little bandwidth. Reference: useAssetAccountNet.
 */
function useAssetBandwidth(use: BandwidthUse, { assetName }: TransferAssetContract): boolean {
  const { state, owner, account: found, bytes, now } = use;
  const isNamed = state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n;
  const math = arithmeticOf(state.properties);
  const assets = isNamed ? state.assets : state.assetsV2;
  const asset = assets.get(toHex(assetName));
  if (asset === undefined) throw new ContractValidateError(`asset [${byteStringText(assetName)}] does not exist`);
  const name = toUtf8(assetName);
  const sharedUsage = decay(math, asset.publicFreeAssetNetUsage, asset.publicLatestFreeNetTime, now);
  if (bytes > asset.publicFreeAssetNetLimit - sharedUsage) return false;
  const own = isNamed ? found.freeAssetNetUsage.get(name) : found.freeAssetNetUsageV2.get(asset.id);
  const ownTime = isNamed ? found.latestAssetOperationTime.get(name) : found.latestAssetOperationTimeV2.get(asset.id);
  const ownUsage = decay(math, own ?? 0n, ownTime ?? 0n, now);
  if (bytes > asset.freeAssetNetLimit - ownUsage) return false;
  const issuerAddress = toAddress(asset.ownerAddress);
  const issuerBefore = state.existingAccount(issuerAddress);
  const issuerUsage = currentUsage(state, issuerBefore, now);
  if (bytes > wrap64(totalBandwidthLimit(state, issuerBefore) - issuerUsage)) return false;
  const issuer = state.existingAccountToWrite(issuerAddress);
  addStakedUsage(state, issuer, issuerUsage, bytes, now);
  const usage = addUsage(math, sharedUsage, bytes);
  for (const table of isNamed ? [state.assets, state.assetsV2] : [state.assetsV2]) {
    const key = table === state.assets ? toHex(asset.name) : toHex(utf8(asset.id));
    const row = table.existingToWrite(key);
    row.publicFreeAssetNetUsage = usage;
    row.publicLatestFreeNetTime = now;
  }
  // java-tron loads owner and issuer as separate copies, and stores the issuer last. If both are the same account, this
  // overwrites the changes of the owner's copy.
  if (issuerAddress !== owner) {
    const account = state.existingAccountToWrite(owner);
    account.latestOprationTime = state.properties.get('latest_block_header_timestamp');
    const ownNew = addUsage(math, ownUsage, bytes);
    if (isNamed) {
      account.latestAssetOperationTime.set(name, now);
      account.freeAssetNetUsage.set(name, ownNew);
    }
    account.latestAssetOperationTimeV2.set(asset.id, now);
    account.freeAssetNetUsageV2.set(asset.id, ownNew);
    state.saveAccount(owner, account);
  }
  state.saveAccount(issuerAddress, issuer);
  return true;
}

function insufficient(owner: Address, bytes: bigint, fee: bigint): ChainError {
  const account = encodeBase58Check(addressBytes(owner));
  const text = `account [${account}] has insufficient bandwidth[${bytes}] and balance[${fee}] to create new account`;
  return new ChainError('AccountResourceInsufficientException', text);
}
