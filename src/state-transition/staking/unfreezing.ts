import type { Account } from '../../codec/generated/messages.js';
import { wrap64 } from '../../primitives/int64.js';

/**
 * Returns the sum in SUN of the unfreezings of stake 2.0 that have expired at `timeMs`. Ignores amounts of 0 or less.
 * Reference: getTotalWithdrawUnfreeze.
 */
export function expiredUnfreezing({ unfrozenV2 }: Account, timeMs: bigint): bigint {
  let sum = 0n;
  for (const { unfreezeAmount, unfreezeExpireTime } of unfrozenV2) {
    if (unfreezeAmount > 0n && unfreezeExpireTime <= timeMs) sum += unfreezeAmount;
  }
  return wrap64(sum);
}

/** Removes expired unfreezings and adds their amounts to the balance. @returns the sum of these amounts in SUN */
export function payExpired(account: Account, nowMs: bigint): bigint {
  let sum = 0n;
  for (const { unfreezeAmount, unfreezeExpireTime } of account.unfrozenV2) {
    if (unfreezeExpireTime <= nowMs) sum += unfreezeAmount;
  }
  account.unfrozenV2 = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > nowMs);
  account.balance = wrap64(account.balance + sum);
  return sum;
}
