import t from 'tap';
import { AddressRates } from '../../../../../src/api/middleware/address-rates.js';
import { SharedRates } from '../../../../../src/api/middleware/shared/shared-rates.js';
import { SmoothRate } from '../../../../../src/api/middleware/smooth-rate.js';

const ADDRESS_RATE = { perSecond: 1, lifeMs: 10_000 };

/** Returns the rates of two threads, which share one memory. */
function twoThreads(): readonly [SharedRates, SharedRates] {
  const buffer = SharedRates.createBuffer(12_345);
  return [new SharedRates(buffer), new SharedRates(buffer)];
}

t.test('limits the calls of several threads to one common rate', async (t) => {
  const rates = twoThreads().map((thread) => thread.rate('all', 10, 0));
  const alone = new SmoothRate(10, 0);
  const times = [0, 0, 0, 250, 250, 4_000, 4_000, 4_001, 4_001];
  t.same(
    times.map((now, at) => rates[at % 2]!.reserve(now)),
    times.map((now) => alone.reserve(now)),
  );
  const later = 100_000;
  t.equal(rates[0]!.reserve(later), 0);
  t.equal(rates[1]!.tryReserve(later - 0.001), true, 'this thread has read the clock before the other one');
  for (let stored = 8; stored > 0; stored--) t.equal(rates[stored % 2]!.reserve(later), 0);
  t.equal(rates[1]!.reserve(later), 0, 'the next permit is valid now');
  t.equal(rates[0]!.tryReserve(later), false, 'a permit that is not valid yet cannot be used');
  t.equal(rates[1]!.reserve(later), 100, 'the attempt does not change the rate');
});

t.test('limits each address over all threads, with expiry', async (t) => {
  const rates = twoThreads().map((thread) => thread.addressRates('address', ADDRESS_RATE));
  const alone = new AddressRates(ADDRESS_RATE);
  const calls = [
    ['a', 0],
    ['a', 0],
    ['b', 0],
    ['a', 500],
    ['a', 10_000],
    ['a', 10_000],
  ] as const;
  t.same(
    calls.map(([address, now], at) => rates[at % 2]!.reserve(address, now)),
    calls.map(([address, now]) => alone.reserve(address, now)),
  );
});

t.test('limits rates with different names independently', async (t) => {
  const [thread] = twoThreads();
  const rates = Array.from({ length: 2_000 }, (_, at) => thread.rate(`http Servlet${at}`, 1, 0));
  t.same(new Set(rates.map((rate) => rate.reserve(0))), new Set([0]));
});

t.test('stores a maximum number of addresses, and evicts the least recently used', async (t) => {
  const [thread] = twoThreads();
  const rates = thread.addressRates('address', { perSecond: 1, lifeMs: 3_600_000 });
  rates.reserve('the oldest', 0);
  rates.reserve('in use', 0);
  for (let at = 1; at <= 200_000; at++) {
    rates.reserve(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`, at);
    if (at % 100 === 0) rates.reserve('in use', at);
  }
  t.equal(rates.reserve('the oldest', 200_000), 0, 'a new rate');
  t.ok(rates.reserve('in use', 200_000) > 0, 'a rate that is in use is not evicted');
});

t.test('continues after a thread was terminated while it had the lock', async (t) => {
  const buffer = SharedRates.createBuffer(1);
  const rate = new SharedRates(buffer).rate('all', 10, 0);
  new Int32Array(buffer)[0] = 1;
  t.equal(rate.reserve(0), 0);
  t.equal(rate.reserve(0), 100);
  t.equal(new Int32Array(buffer)[0], 0);
});
