import t from 'tap';
import { Account } from '../../../../src/codec/generated/messages.js';
import { EXACT, WRAPPING } from '../../../../src/state-transition/resources/long-arithmetic.js';
import { ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import {
  decay,
  fineWindow,
  headSlot,
  increase,
  increaseOf,
  recovery,
  setFineWindow,
  setWindow,
  supportsFineWindow,
  undelegateIncrease,
  windowSlots,
} from '../../../../src/state-transition/resources/usage.js';
import { stateWith } from '../../../support/vm/state-with.js';

const { BANDWIDTH, ENERGY } = ResourceCode;
const DAY = 28_800n;

// Reference: ResourceProcessor.increase. Averages are stored in millionths, rounded up. They decay linearly.
const rows: readonly (readonly [last: bigint, usage: bigint, slots: bigint, sum: bigint])[] = [
  [0n, 0n, 0n, 0n],
  [0n, 100n, 0n, 100n],
  [100n, 0n, 0n, 100n],
  [100n, 0n, DAY / 2n, 50n],
  [100n, 0n, DAY - 1n, 0n],
  [100n, 0n, DAY, 0n],
  [100n, 7n, DAY + 5n, 7n],
  [1000n, 500n, DAY / 4n, 1250n],
];

t.test('decays usage to zero within a day and adds new usage', async (t) => {
  for (const math of [WRAPPING, EXACT]) {
    for (const [last, usage, slots, sum] of rows) {
      t.equal(
        increase(math, { lastUsage: last, lastTime: 1000n, now: 1000n + slots, usage }),
        sum,
        `${last} + ${usage} after ${slots}`,
      );
    }
  }
});

t.test('wraps a product above 64 bits or computes it exactly, depending on the rule', async (t) => {
  const large = 2n ** 45n;
  t.not(decay(WRAPPING, large, 0n, 0n), large);
  t.equal(decay(EXACT, large, 0n, 0n), large);
  t.throws(() => decay(EXACT, 2n ** 62n, 0n, 0n), 'an average above 64 bits');
});

t.test('measures windows as a day, in slots or in thousandths of slots', async (t) => {
  for (const resource of [BANDWIDTH, ENERGY]) {
    const account = new Account();
    t.same([windowSlots(account, resource), fineWindow(account, resource)], [DAY, DAY * 1000n]);
    setWindow(account, resource, 10n);
    t.same([windowSlots(account, resource), fineWindow(account, resource)], [10n, 10_000n]);
    setFineWindow(account, resource, 10_500n);
    t.same([windowSlots(account, resource), fineWindow(account, resource)], [10n, 10_500n]);
    setFineWindow(account, resource, 999n);
    t.same([windowSlots(account, resource), fineWindow(account, resource)], [DAY, 999n], 'a window below one slot');
  }
});

t.test('decays remaining usage over the window of the account', async (t) => {
  const account = new Account();
  setWindow(account, ENERGY, 100n);
  t.equal(recovery(WRAPPING, account, ENERGY, { lastUsage: 1000n, lastTime: 0n, now: 50n }), 500n);
  t.equal(recovery(WRAPPING, account, BANDWIDTH, { lastUsage: 1000n, lastTime: 0n, now: 50n }), 998n);
});

t.test('averages windows weighted by usage, in slots and in thousandths of slots', async (t) => {
  const use = { lastUsage: 1000n, usage: 1000n, lastTime: 0n, now: DAY / 2n };
  const coarse = new Account();
  t.equal(increaseOf(stateWith({ UNFREEZE_DELAY_DAYS: 14n }), coarse, ENERGY, use), 1500n);
  t.equal(windowSlots(coarse, ENERGY), (500n * (DAY / 2n) + 1000n * DAY) / 1500n);
  const fine = new Account();
  const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n, ALLOW_CANCEL_ALL_UNFREEZE_V2: 1n });
  t.ok(supportsFineWindow(state));
  t.equal(increaseOf(state, fine, ENERGY, use), 1500n);
  t.equal(fineWindow(fine, ENERGY), 24_000_000n);
  t.ok(fine.accountResource?.energyWindowOptimized);
  const old = new Account();
  increaseOf(stateWith(), old, ENERGY, use);
  t.equal(old.accountResource, undefined, 'no windows before stake 2.0');
});

t.test('returns usage with its window when stake is undelegated', async (t) => {
  const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n, ALLOW_CANCEL_ALL_UNFREEZE_V2: 1n });
  const [owner, receiver] = [new Account(), new Account()];
  setFineWindow(receiver, ENERGY, 1_000_000n);
  t.equal(undelegateIncrease(state, owner, receiver, { transferUsage: 10n, resource: ENERGY, now: 5n }), 10n);
  t.equal(fineWindow(owner, ENERGY), 1_000_000n);
  t.equal(undelegateIncrease(state, owner, receiver, { transferUsage: 0n, resource: BANDWIDTH, now: 5n }), 0n);
  t.equal(fineWindow(owner, BANDWIDTH), DAY * 1000n);
});

t.test('counts slots from genesis', async (t) => {
  t.equal(headSlot(stateWith({ latest_block_header_timestamp: 8999n })), 2n);
});
