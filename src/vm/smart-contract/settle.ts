import {
  type Account,
  TransactionContractContractType as ContractType,
  ResourceCode,
  type ResourceReceipt,
  TransactionResultContractResult as Result,
} from '../../codec/generated/messages.js';
import { JavaHashMap, javaHashOfHex } from '../../java-compat/hash-map.js';
import type { Address } from '../../primitives/address.js';
import { max64, min64, mulExact, wrap64 } from '../../primitives/int64.js';
import { adjustBalance } from '../../state-transition/balances/balances.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { ContractExeError, unchecked } from '../../state-transition/errors.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { leftEnergy, useEnergy } from '../../state-transition/resources/energy.js';
import {
  fineWindow,
  headSlot,
  setFineWindow,
  setWindow,
  supportsFineWindow,
  windowSlots,
} from '../../state-transition/resources/usage.js';
import { resourceOf, type State } from '../../state-transition/state/state.js';
import type { TransactionContext } from '../../state-transition/transaction.js';
import { energyPrice, type Prepaid } from './energy-limit.js';
import { energyTerms, originOf } from './energy-terms.js';
import type { VmRun } from './execute.js';

const { ENERGY } = ResourceCode;

/** Accounts that pay for a run, and the share of the contract's creator. */
interface Payers {
  readonly caller: Address;
  readonly origin: Address;
  readonly originPercent: bigint;
  readonly originLimit: bigint;
}

/**
 * Charges the energy of a run, and deletes the contracts that the run destroyed. Reference:
 * TransactionTrace.finalization, ReceiptCapsule.payEnergyBill.
 * @throws {ChainError} the settlement fails
 */
export function settleEnergy(state: State, context: TransactionContext, run: VmRun, receipt: ResourceReceipt): void {
  pay(state, payersOf(state, context, run), run, receipt);
  if (run.runtimeError === null || run.runtimeError === '') deleteContracts(state, run.deleted);
}

function payersOf(state: State, { transaction }: TransactionContext, run: VmRun): Payers {
  const { owner: caller, contractType } = transaction;
  if (contractType === ContractType.CreateSmartContract) {
    return { caller, origin: caller, originPercent: 0n, originLimit: 0n };
  }
  const contract = state.contracts.existing(run.contract);
  const { callerPercent, originLimit } = energyTerms(contract);
  return { caller, origin: originOf(contract), originPercent: 100n - callerPercent, originLimit };
}

function pay(state: State, payers: Payers, run: VmRun, receipt: ResourceReceipt): void {
  // If no energy was used, the settlement charges nothing. Like java-tron, it then does not remove the usage that the
  // prepayment added before the run.
  const total = receipt.energyUsageTotal;
  receipt.originEnergyUsage = 0n;
  if (total <= 0n) return;
  const { caller, origin } = payers;
  const isOwn = caller === origin;
  const hasOrigin = !isOwn && state.accounts.has(origin);
  const account = state.existingAccountToWrite(caller);
  if (state.properties.supportsUnfreezeDelay() && !run.hasException && !run.isRevert) {
    if (hasOrigin) refund(state, state.existingAccountToWrite(origin), run.bill.origin);
    refund(state, account, run.bill.caller);
  }
  if (isOwn || (!hasOrigin && state.properties.isOn('ALLOW_TVM_CONSTANTINOPLE'))) {
    payShare(state, caller, account, { usage: total, left: run.bill.caller.left }, receipt);
    return;
  }
  if (!hasOrigin) throw unchecked('NullPointerException');
  const share = mulExact(total, payers.originPercent) / 100n;
  const usage = originUsage(state, origin, share, payers.originLimit, run.bill.origin.left);
  useEnergy(state, origin, usage, headSlot(state));
  receipt.originEnergyUsage = usage;
  payShare(state, caller, account, { usage: total - usage, left: run.bill.caller.left }, receipt);
}

/** Returns the energy in units that the contract's creator pays. Reference: ReceiptCapsule.getOriginUsage. */
function originUsage(state: State, origin: Address, share: bigint, limit: bigint, left: bigint): bigint {
  if (hasRemainingEnergy(state)) return min64(share, min64(left, limit));
  const now = leftEnergy(state, state.existingAccount(origin));
  return hasPassed(state, VERSION.ENERGY_LIMIT) ? min64(share, min64(now, limit)) : min64(share, now);
}

/**
 * Returns true if programs can stake. The settlement then uses the remaining energy before the run, because the
 * program can have changed the remaining energy of an account.
 */
function hasRemainingEnergy({ properties }: State): boolean {
  return properties.isOn('ALLOW_TVM_FREEZE') || properties.supportsUnfreezeDelay();
}

function payShare(
  state: State,
  address: Address,
  account: Account,
  { usage, left: leftBefore }: { usage: bigint; left: bigint },
  receipt: ResourceReceipt,
): void {
  const now = headSlot(state);
  const left = hasRemainingEnergy(state) ? leftBefore : leftEnergy(state, account);
  if (left >= usage) {
    useEnergy(state, address, usage, now);
    receipt.energyUsage = usage;
    state.saveAccount(address, account);
    return;
  }
  useEnergy(state, address, left, now);
  const bought = usage - left;
  if (hasPassed(state, VERSION.V3_6_5) && state.properties.isOn('ALLOW_ADAPTIVE_ENERGY')) {
    state.properties.add('BLOCK_ENERGY_USAGE', bought);
  }
  const fee = wrap64(bought * energyPrice(state));
  receipt.energyUsage = left;
  receipt.energyFee = fee;
  if (account.balance < fee) throw new ContractExeError(`${address} insufficient balance`);
  account.balance -= fee;
  burnFee(state, fee, receipt.result);
  state.saveAccount(address, account);
}

function burnFee(state: State, fee: bigint, result: number): void {
  const { properties } = state;
  if (properties.isOn('ALLOW_TRANSACTION_FEE_POOL') && result !== Result.OUT_OF_TIME) {
    if (fee > 0n) properties.add('TRANSACTION_FEE_POOL', fee);
  } else if (properties.supportsBlackHoleOptimization()) {
    if (fee > 0n) properties.add('BURN_TRX_AMOUNT', fee);
  } else adjustBalance(state, state.rules.blackhole, fee);
}

/** Removes the usage that the prepayment added before the run. Reference: TransactionTrace.resetAccountUsage. */
function refund(state: State, account: Account, prepaid: Prepaid): void {
  const window = windowSlots(account, ENERGY);
  const fine = fineWindow(account, ENERGY);
  const usage = account.accountResource?.energyUsage ?? 0n;
  const area = wrap64(usage * window - (prepaid.mergedUsage * prepaid.mergedWindow - prepaid.usage * prepaid.window));
  // The usage of each account decays over its own time window. If the account received stake during the run, its
  // window has changed. The new window then applies.
  const isSame = prepaid.mergedWindow === window;
  const newWindow = isSame ? prepaid.window : window;
  const newUsage = max64(0n, area / newWindow);
  resourceOf(account).energyUsage = newUsage;
  if (supportsFineWindow(state)) {
    setFineWindow(account, ENERGY, newUsage === 0n ? 0n : isSame ? prepaid.fineWindow : fine);
  } else setWindow(account, ENERGY, newUsage === 0n ? 0n : newWindow);
}

/** Deletes contracts in the iteration order of java-tron's set of words. */
export function deleteContracts(state: State, deleted: readonly Address[]): void {
  if (deleted.length === 0) return;
  const set = new JavaHashMap<string, Address>(javaHashOfHex);
  for (const address of deleted) set.set(address.padStart(64, '0'), address);
  for (const [, address] of set.entries()) {
    state.abis.delete(address);
    state.code.delete(address);
    state.deleteAccount(address);
    state.contracts.delete(address);
  }
}
