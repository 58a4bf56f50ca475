import type { Account } from '../../codec/generated/messages.js';
import { wrap64 } from '../../primitives/int64.js';

/**
 * SUN of stake 2.0 that waited long enough at a time, without entries of nothing or less.
 * Reference: getTotalWithdrawUnfreeze.
 */
export function expiredUnfreezing({ unfrozenV2 }: Account, timeMs: bigint): bigint {
  let sum = 0n;
  for (const { unfreezeAmount, unfreezeExpireTime } of unfrozenV2) {
    if (unfreezeAmount > 0n && unfreezeExpireTime <= timeMs) sum += unfreezeAmount;
  }
  return wrap64(sum);
}

/** Takes entries whose wait is over out of the list and adds them to the balance. @returns their sum, SUN */
export function payExpired(account: Account, nowMs: bigint): bigint {
  let sum = 0n;
  for (const { unfreezeAmount, unfreezeExpireTime } of account.unfrozenV2) {
    if (unfreezeExpireTime <= nowMs) sum += unfreezeAmount;
  }
  account.unfrozenV2 = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > nowMs);
  account.balance = wrap64(account.balance + sum);
  return sum;
}
