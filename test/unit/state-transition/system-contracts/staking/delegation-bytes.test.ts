import t from 'tap';
import { addFrozenV2, ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { delegationBytes } from '../../../../../src/state-transition/system-contracts/staking/delegation-bytes.js';
import { addAccount, stateWith } from '../../../../support/vm/state-with.js';

// Reference: TransactionUtil.estimateConsumeBandWidthSize. The sizes are those of protobuf, in which a varint has 7
// bits per byte.
const rows: readonly (readonly [stake: bigint, maxLockBlocks: bigint, bytes: bigint])[] = [
  [0n, 86_400n, 275n],
  [1_000_000n, 86_400n, 277n],
  [2n ** 21n - 1n, 86_400n, 277n],
  [2n ** 21n, 86_400n, 278n],
  [1_000_000n, 86_401n, 281n],
  [1_000_000n, 2_097_152n, 282n],
];

t.test('computes the largest size of a delegation', async (t) => {
  for (const [stake, max, bytes] of rows) {
    const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n, MAX_DELEGATE_LOCK_PERIOD: max });
    const account = addAccount(state, 1);
    addFrozenV2(account, ResourceCode.BANDWIDTH, stake);
    t.equal(delegationBytes(state, account), bytes, `${stake} SUN, ${max} blocks`);
  }
});
