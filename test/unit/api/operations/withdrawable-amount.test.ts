import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { withdrawableAmount } from '../../../../src/api/operations/delegations.js';

const NOW = 5_000n;
const unfrozenV2 = [
  { unfreezeAmount: 7n, unfreezeExpireTime: 4_000n },
  { unfreezeAmount: 11n, unfreezeExpireTime: 5_000n },
  { unfreezeAmount: 13n, unfreezeExpireTime: 9_000n },
];
const view = {
  state: { properties: { get: () => NOW }, account: () => ({ unfrozenV2 }) },
} as unknown as ChainView;

// Reference: Wallet.getCanWithdrawUnfreezeAmount. 4.7.2 also returns 0 for a negative time, because no unfreezing
// expires before 1970.
t.test('returns the unfrozen amount at a given time, now for 0, and nothing for a negative time', async (t) => {
  const at = (timeMs: bigint): bigint => withdrawableAmount(view, new Uint8Array(21), timeMs).amount;
  t.same([at(0n), at(4_000n), at(4_999n), at(9_000n), at(-1n), at(-(2n ** 63n))], [18n, 7n, 7n, 31n, 0n, 0n]);
});
