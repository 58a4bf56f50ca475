import { type Account, ResourceCode, type SmartContract } from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { equalBytes } from '../../primitives/bytes.js';
import { addExact, floorDiv, longValueExact, max64, min64, wrap64 } from '../../primitives/int64.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import type { VmAccounts } from '../../state-transition/balances/accounts.js';
import { refuse, unchecked } from '../../state-transition/errors.js';
import { updateEnergyUsage } from '../../state-transition/resources/energy.js';
import { arithmeticOf, hardenedShare } from '../../state-transition/resources/long-arithmetic.js';
import { allFrozenForEnergy } from '../../state-transition/resources/stake.js';
import {
  fineWindow,
  headSlot,
  increaseOf,
  lastConsumeTime,
  recovery,
  usageOfAccount,
  windowSlots,
} from '../../state-transition/resources/usage.js';
import { resourceOf, type State } from '../../state-transition/state/state.js';
import type { RuleSet } from '../machine/rule-set.js';
import { energyTerms, originOf } from './energy-terms.js';

const { ENERGY } = ResourceCode;
/** Energy price in SUN if the chain property with the price is 0. Reference: VMConstant.SUN_PER_ENERGY. */
const SUN_PER_ENERGY = 100n;

/**
 * Energy usage of an account before and after the prepayment of a run. The prepayment adds the maximum usage of the
 * run to the account before the run starts, because the program can read the usage. The settlement replaces this
 * maximum by the real usage.
 */
export interface Prepaid {
  /** Remaining energy from stake before the run. */
  left: bigint;
  usage: bigint;
  window: bigint;
  fineWindow: bigint;
  mergedUsage: bigint;
  mergedWindow: bigint;
}

/**
 * Values before a run that the settlement of the run needs. Reference: fields of ReceiptCapsule that are not in the
 * receipt.
 */
export interface EnergyBill {
  readonly caller: Prepaid;
  readonly origin: Prepaid;
}

export function newBill(): EnergyBill {
  return { caller: nothingPrepaid(), origin: nothingPrepaid() };
}

function nothingPrepaid(): Prepaid {
  return { left: 0n, usage: 0n, window: 0n, fineWindow: 0n, mergedUsage: 0n, mergedWindow: 0n };
}

/** Values that determine the energy limit of a transaction. Amounts are in SUN. */
export interface EnergyContext {
  readonly accounts: VmAccounts;
  readonly rules: RuleSet;
  readonly bill: EnergyBill;
  readonly feeLimit: bigint;
  readonly callValue: bigint;
}

/**
 * Returns the energy limit of a creation. Reference: VMActuator.create.
 * @throws {ChainError | ArithmeticError} the creator does not exist, or a sum exceeds 64 bits
 */
export function creationLimit(context: EnergyContext, creator: Account | undefined): bigint {
  const account = creator ?? missing();
  return context.rules.energyLimitFork ? callerLimit(context, account) : floatLimit(context, account);
}

/**
 * Returns the energy limit of a call: the energy that the caller can pay for, plus the creator's share. Reference:
 * VMActuator.getTotalEnergyLimit.
 * @throws {ChainError | ArithmeticError} an account does not exist, the creator's limit is negative, or a sum exceeds
 * 64 bits
 */
export function callLimit(context: EnergyContext, contract: SmartContract, owner: Address): bigint {
  const { accounts, rules } = context;
  const caller = accounts.get(owner) ?? missing();
  const creator = accounts.get(originOf(contract));
  if (creator === undefined && rules.constantinople) return callerLimit(context, caller);
  return rules.energyLimitFork
    ? fixedLimit(context, contract, caller, creator)
    : floatTotal(context, contract, caller, creator);
}

/**
 * Returns the energy that the caller can pay for, by the rule since the energy limit fork.
 * Reference: getAccountEnergyLimitWithFixRatio.
 */
function callerLimit(context: EnergyContext, account: Account): bigint {
  const { accounts, rules, bill, feeLimit, callValue } = context;
  const price = energyPrice(accounts.state);
  const left = leftEnergy(accounts.state, account);
  if (rules.freeze || rules.freezeV2) bill.caller.left = left;
  const fromBalance = max64(wrap64(account.balance - callValue), 0n) / price;
  const available = addExact(left, fromBalance);
  const fromFeeLimit = feeLimit / price;
  if (rules.freezeV2) prepay(accounts, account, min64(left, fromFeeLimit), bill.caller);
  return min64(available, fromFeeLimit);
}

/**
 * Returns the energy limit of caller and creator together, by the rule since the energy limit fork. Reference:
 * getTotalEnergyLimitWithFixRatio.
 */
function fixedLimit(
  context: EnergyContext,
  contract: SmartContract,
  caller: Account,
  creator: Account | undefined,
): bigint {
  const { accounts, rules, bill } = context;
  const limit = callerLimit(context, caller);
  if (creator === undefined) return missing();
  if (equalBytes(creator.address, caller.address)) return limit;
  const { callerPercent: percent, originLimit } = energyTerms(contract);
  if (originLimit < 0n) refuse("originEnergyLimit can't be < 0");
  let left = 0n;
  if (percent < 100n) {
    left = leftEnergy(accounts.state, creator);
    if (rules.freeze || rules.freezeV2) bill.origin.left = left;
  }
  let added = 0n;
  if (percent === 0n) added = min64(left, originLimit);
  else if (percent < 100n)
    added = min64(longValueExact((limit * (100n - percent)) / percent), min64(left, originLimit));
  if (rules.freezeV2) prepay(accounts, creator, added, bill.origin);
  return addExact(limit, added);
}

/**
 * Adds the maximum usage of the run to the account before the run. Stores the account's usage before and after this
 * addition in `prepaid`.
 */
function prepay(accounts: VmAccounts, found: Account, energy: bigint, prepaid: Prepaid): void {
  const { state } = accounts;
  const account = accounts.writeExisting(toAddress(found.address));
  const now = headSlot(state);
  updateEnergyUsage(state, account);
  const resource = resourceOf(account);
  resource.latestConsumeTimeForEnergy = now;
  prepaid.usage = resource.energyUsage;
  prepaid.window = windowSlots(account, ENERGY);
  prepaid.fineWindow = fineWindow(account, ENERGY);
  const step = { lastUsage: resource.energyUsage, usage: energy, lastTime: now, now };
  resource.energyUsage = increaseOf(state, account, ENERGY, step);
  prepaid.mergedUsage = resource.energyUsage;
  prepaid.mergedWindow = windowSlots(account, ENERGY);
}

/**
 * Returns the energy that the caller can pay for, by the rule before the energy limit fork.
 * Reference: getAccountEnergyLimitWithFloatRatio.
 */
function floatLimit({ accounts, feeLimit, callValue }: EnergyContext, account: Account): bigint {
  const { state } = accounts;
  const price = energyPrice(state);
  const left = leftEnergy(state, account);
  const fromBalance = floorDiv(max64(wrap64(account.balance - max64(callValue, 0n)), 0n), price);
  const frozen = allFrozenForEnergy(account);
  let fromFeeLimit = feeLimit / price;
  if (frozen !== 0n) {
    const total = globalEnergyLimit(state, account);
    const frozenLeft = total <= 0n ? 0n : longValueExact((left * frozen) / total);
    fromFeeLimit =
      frozenLeft >= feeLimit
        ? longValueExact((total * feeLimit) / frozen)
        : addExact(left, (feeLimit - frozenLeft) / price);
  }
  return min64(addExact(left, fromBalance), fromFeeLimit);
}

/**
 * Returns the energy limit of caller and creator together, by the rule before the energy limit fork. Reference:
 * getTotalEnergyLimitWithFloatRatio.
 */
function floatTotal(
  context: EnergyContext,
  contract: SmartContract,
  caller: Account,
  creator: Account | undefined,
): bigint {
  const limit = floatLimit(context, caller);
  if (creator === undefined) return missing();
  if (equalBytes(creator.address, caller.address)) return limit;
  const added = leftEnergy(context.accounts.state, creator);
  const { callerPercent: percent } = energyTerms(contract);
  if (wrap64(added * percent) > wrap64((100n - percent) * limit)) return floorDiv(wrap64(limit * 100n), percent);
  return addExact(limit, added);
}

/**
 * Returns the remaining energy from an account's stake. Counts only whole TRX of stake. System contracts also count
 * fractions of a TRX since stake 2.0. Reference: RepositoryImpl.getAccountLeftEnergyFromFreeze.
 */
function leftEnergy(state: State, account: Account): bigint {
  const used = recovery(arithmeticOf(state.properties), account, ENERGY, {
    lastUsage: usageOfAccount(account, ENERGY),
    lastTime: lastConsumeTime(account, ENERGY),
    now: headSlot(state),
  });
  return max64(globalEnergyLimit(state, account) - used, 0n);
}

/** Returns an account's daily energy from stake. Reference: RepositoryImpl.calculateGlobalEnergyLimit. */
function globalEnergyLimit({ properties }: State, account: Account): bigint {
  const frozen = allFrozenForEnergy(account);
  if (frozen < SUN_PER_TRX) return 0n;
  const limit = properties.get('TOTAL_ENERGY_CURRENT_LIMIT');
  const weight = properties.get('TOTAL_ENERGY_WEIGHT');
  if (properties.isOn('ALLOW_HARDEN_RESOURCE_CALCULATION')) return hardenedShare(frozen / SUN_PER_TRX, limit, weight);
  return toLong(Number(frozen / SUN_PER_TRX) * (Number(limit) / Number(weight)));
}

export function energyPrice({ properties }: State): bigint {
  const fee = properties.get('ENERGY_FEE');
  return fee > 0n ? fee : SUN_PER_ENERGY;
}

/** Throws java-tron's error for an account that must exist. */
function missing(): never {
  throw unchecked('NullPointerException');
}
