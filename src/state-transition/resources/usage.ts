import { type Account, ResourceCode } from '../../codec/generated/messages.js';
import { round } from '../../java-compat/double.js';
import { addExact, div64, max64, min64, wrap64 } from '../../primitives/int64.js';
import { SLOT_MS } from '../consensus/schedule.js';
import { resourceOf, type State } from '../state/state.js';
import { arithmeticOf, EXACT, type LongArithmetic } from './long-arithmetic.js';

const LONG_SLOT_MS = BigInt(SLOT_MS);
/**
 * Time in which the usage of a resource recovers completely, in slots of 3 s: one day. Reference:
 * ResourceProcessor.windowSize.
 */
const WINDOW_SLOTS = 28_800n;
/** Fixed-point factor of averages. Reference: ChainConstant.PRECISION. */
const PRECISION = 1_000_000n;
/**
 * Number of window units per slot: since proposal 77, window sizes are stored in units of 1/1000 slot. Reference:
 * WINDOW_SIZE_PRECISION.
 */
const WINDOW_PRECISION = 1000n;

/** Number of 3-second slots from genesis to the head block. Reference: ChainBaseManager.getHeadSlot. */
export function headSlot(state: State): bigint {
  return (state.properties.get('latest_block_header_timestamp') - BigInt(state.rules.genesisTimeMs)) / LONG_SLOT_MS;
}

/** Previous usage and the usage to add. Times are numbers of slots since genesis. */
interface UsageStep {
  readonly lastUsage: bigint;
  readonly lastTime: bigint;
  readonly now: bigint;
  /** Usage to add. */
  readonly usage: bigint;
}

/**
 * Returns the last usage after its decay over `window` (in slots), plus the added usage. Reference:
 * ResourceProcessor.increase.
 */
export function increase(math: LongArithmetic, step: UsageStep, window = WINDOW_SLOTS): bigint {
  const { lastUsage, lastTime, now, usage } = step;
  const average = decayed(divideCeil(math, lastUsage * PRECISION, window), lastTime, now, window);
  return usageOf(math, wrap64(average + divideCeil(math, usage * PRECISION, window)), window);
}

/**
 * Returns the usage at the slot `now`: `lastUsage` decreases linearly to 0 within one day. Times are in slots of 3 s.
 */
export function decay(math: LongArithmetic, lastUsage: bigint, lastTime: bigint, now: bigint): bigint {
  return increase(math, { lastUsage, lastTime, now, usage: 0n });
}

/** Returns the sum of two usages without decay, rounded as `increase` does. */
export function addUsage(math: LongArithmetic, lastUsage: bigint, usage: bigint): bigint {
  return increase(math, { lastUsage, lastTime: 0n, now: 0n, usage });
}

/**
 * Returns an account's usage after decay over the account's own window. Does not change the account. Reference:
 * ResourceProcessor.recovery.
 */
export function recovery(
  math: LongArithmetic,
  account: Account,
  resource: number,
  { lastUsage, lastTime, now }: Omit<UsageStep, 'usage'>,
): bigint {
  return increase(math, { lastUsage, lastTime, now, usage: 0n }, windowSlots(account, resource));
}

/**
 * Returns the last usage of an account after its decay, plus the added usage. Uses the account's own window, and
 * updates the window. Reference: ResourceProcessor.increase(AccountCapsule, …).
 */
export function increaseOf(
  state: State,
  account: Account,
  resource: number,
  { lastUsage, usage, lastTime, now }: UsageStep,
): bigint {
  const math = arithmeticOf(state.properties);
  const oldWindow = windowSlots(account, resource);
  const oldFineWindow = fineWindow(account, resource);
  const averageUsage = divideCeil(math, usage * PRECISION, WINDOW_SLOTS);
  const average = decayed(divideCeil(math, lastUsage * PRECISION, oldWindow), lastTime, now, oldWindow);
  const newUsage = divide(math, average * oldWindow + averageUsage * WINDOW_SLOTS, PRECISION);
  const remaining = usageOf(math, average, oldWindow);
  if (supportsFineWindow(state)) {
    if (remaining === 0n) {
      setFineWindow(account, resource, WINDOW_SLOTS * WINDOW_PRECISION);
      return newUsage;
    }
    const remainingWindow = oldFineWindow - (now - lastTime) * WINDOW_PRECISION;
    const area = remaining * remainingWindow + usage * WINDOW_SLOTS * WINDOW_PRECISION;
    setFineWindow(account, resource, min64(divideCeil(math, area, newUsage), WINDOW_SLOTS * WINDOW_PRECISION));
    return newUsage;
  }
  if (!state.properties.supportsUnfreezeDelay()) return newUsage;
  if (remaining === 0n) {
    setWindow(account, resource, WINDOW_SLOTS);
    return newUsage;
  }
  const area = remaining * (oldWindow - (now - lastTime)) + usage * WINDOW_SLOTS;
  setWindow(account, resource, divide(math, area, newUsage));
  return newUsage;
}

/**
 * Returns the owner's usage after an undelegation, and updates the owner's window. A share of the receiver's usage
 * moves back to the owner. Reference: unDelegateIncrease.
 */
export function undelegateIncrease(
  state: State,
  owner: Account,
  receiver: Account,
  { transferUsage, resource, now }: { transferUsage: bigint; resource: number; now: bigint },
): bigint {
  const math = arithmeticOf(state.properties);
  const lastTime = lastConsumeTime(owner, resource);
  const usage = increaseOf(state, owner, resource, {
    lastUsage: usageOfAccount(owner, resource),
    usage: 0n,
    lastTime,
    now,
  });
  const newUsage = usage + transferUsage;
  if (supportsFineWindow(state)) {
    if (newUsage === 0n) {
      setFineWindow(owner, resource, WINDOW_SLOTS * WINDOW_PRECISION);
      return newUsage;
    }
    const ownerWindow = max64(fineWindow(owner, resource), 0n);
    const receiverWindow = max64(fineWindow(receiver, resource), 0n);
    const window = divideCeil(math, usage * ownerWindow + transferUsage * receiverWindow, newUsage);
    setFineWindow(owner, resource, min64(window, WINDOW_SLOTS * WINDOW_PRECISION));
    return newUsage;
  }
  if (newUsage === 0n) {
    setWindow(owner, resource, WINDOW_SLOTS);
    return newUsage;
  }
  const ownerWindow = max64(windowSlots(owner, resource), 0n);
  const receiverWindow = max64(windowSlots(receiver, resource), 0n);
  setWindow(owner, resource, divide(math, usage * ownerWindow + transferUsage * receiverWindow, newUsage));
  return newUsage;
}

/** Returns an account's window in whole slots. Reference: AccountCapsule.getWindowSize. */
export function windowSlots(account: Account, resource: number): bigint {
  const [size, isFine] = window(account, resource);
  if (size === 0n) return WINDOW_SLOTS;
  if (!isFine) return size;
  return size < WINDOW_PRECISION ? WINDOW_SLOTS : size / WINDOW_PRECISION;
}

/** Returns an account's window in 1/1000 slot. Reference: AccountCapsule.getWindowSizeV2. */
export function fineWindow(account: Account, resource: number): bigint {
  const [size, isFine] = window(account, resource);
  if (size === 0n) return WINDOW_SLOTS * WINDOW_PRECISION;
  return isFine ? size : size * WINDOW_PRECISION;
}

export function setWindow(account: Account, resource: number, size: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.netWindowSize = size;
  else resourceOf(account).energyWindowSize = size;
}

export function setFineWindow(account: Account, resource: number, size: bigint): void {
  setWindow(account, resource, size);
  if (resource === ResourceCode.BANDWIDTH) account.netWindowOptimized = true;
  else resourceOf(account).energyWindowOptimized = true;
}

export function usageOfAccount(account: Account, resource: number): bigint {
  return resource === ResourceCode.BANDWIDTH ? account.netUsage : (account.accountResource?.energyUsage ?? 0n);
}

/** Returns the slot in which the account last used the resource. */
export function lastConsumeTime(account: Account, resource: number): bigint {
  if (resource === ResourceCode.BANDWIDTH) return account.latestConsumeTime;
  return account.accountResource?.latestConsumeTimeForEnergy ?? 0n;
}

/** Returns true if windows are stored in 1/1000 slot. Reference: supportAllowCancelAllUnfreezeV2. */
export function supportsFineWindow({ properties }: State): boolean {
  return properties.isOn('ALLOW_CANCEL_ALL_UNFREEZE_V2') && properties.supportsUnfreezeDelay();
}

/**
 * Divides and rounds up, but only if the result is positive. Reference: ResourceProcessor.divideCeil,
 * divideCeilExact.
 */
function divideCeil(math: LongArithmetic, product: bigint, divisor: bigint): bigint {
  const numerator = math.product(product);
  const whole = divide(math, product, divisor);
  if (numerator % divisor <= 0n) return whole;
  return math === EXACT ? addExact(whole, 1n) : whole + 1n;
}

/** Divides two numbers by the rules of `math`. @throws {ArithmeticError} `/ by zero`: the divisor is 0 */
function divide(math: LongArithmetic, product: bigint, divisor: bigint): bigint {
  const numerator = math.product(product);
  return divisor === 0n ? div64(numerator, divisor) : math.quotient(numerator / divisor);
}

function window(account: Account, resource: number): readonly [size: bigint, isFine: boolean] {
  if (resource === ResourceCode.BANDWIDTH) return [account.netWindowSize, account.netWindowOptimized];
  return [account.accountResource?.energyWindowSize ?? 0n, account.accountResource?.energyWindowOptimized ?? false];
}

/** Returns an average after decay: it decreases linearly to 0 over the window. Uses doubles, as java-tron does. */
function decayed(average: bigint, lastTime: bigint, now: bigint, window: bigint): bigint {
  if (lastTime === now) return average;
  if (lastTime + window <= now) return 0n;
  const decay = Number(window - (now - lastTime)) / Number(window);
  return round(Number(average) * decay);
}

function usageOf(math: LongArithmetic, average: bigint, window: bigint): bigint {
  return divide(math, average * window, PRECISION);
}
