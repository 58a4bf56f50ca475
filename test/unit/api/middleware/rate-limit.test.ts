import t from 'tap';
import { AddressRates } from '../../../../src/api/middleware/address-rates.js';
import { ownLimits } from '../../../../src/api/middleware/limit-state.js';
import { Permits } from '../../../../src/api/middleware/permits.js';
import { type AdmittedCall, RateLimit, type RateLimitOptions } from '../../../../src/api/middleware/rate-limit.js';
import { SmoothRate } from '../../../../src/api/middleware/smooth-rate.js';
import { readNumber, readPermits } from '../../../../src/api/middleware/strategy-parameters.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';

const quiet = (): void => {};

function admission(options: Partial<RateLimitOptions>): RateLimit {
  const { admission: rules } = apiRelease('4.7.2');
  const rates = { qps: 50_000, addressQps: 10_000, interfaceQps: 1_000, refusesAtOnce: false };
  return new RateLimit({ ...rates, rules, http: [], rpc: [], warn: quiet, ...options });
}

t.test('admits the first call at once and delays each next one by the rate', async (t) => {
  const rate = new SmoothRate(10, 0);
  t.same(
    [0, 0, 0, 250].map((now) => rate.reserve(now)),
    [0, 100, 200, 50],
  );
});

t.test('keeps unused permits for one second at most', async (t) => {
  const rate = new SmoothRate(2, 0);
  t.equal(rate.reserve(60_000), 0);
  t.same(
    [0, 0, 0].map(() => rate.reserve(60_000)),
    [0, 0, 500],
    'two unused permits were kept',
  );
  const endless = new SmoothRate(Number.POSITIVE_INFINITY, 0);
  t.same(
    [0, 0, 5].map((now) => endless.reserve(now)),
    [0, 0, 0],
  );
});

t.test('limits each address separately, with expiry and a maximum number of addresses', async (t) => {
  const rates = new AddressRates({ perSecond: 1, lifeMs: 10_000 });
  t.equal(rates.reserve('a', 0), 0);
  t.equal(rates.reserve('a', 0), 1000);
  t.equal(rates.reserve('b', 0), 0);
  t.equal(rates.reserve('a', 10_000), 0, 'an expired limiter is replaced');
  for (let at = 0; at < 10_100; at++) rates.reserve(`10.0.${at >> 8}.${at & 255}`, 10_000);
  t.equal(rates.size, 10_000);
  t.equal(rates.reserve('b', 10_000), 0, 'the limiter that was unused for the longest time was removed');
});

t.test('parses parameters like java-tron', async (t) => {
  const cases: readonly (readonly [text: string, qps: number])[] = [
    ['qps=5', 5],
    ['a=1 qps=2.5 b=3', 2.5],
    ['qps=5 qps=7', 7],
    ['qps=1e2', 100],
    ['qps=0x1.8p1', 3],
    ['qps=0X.8P+3f', 4],
    ['qps=0x1', 100],
    ['qps=0xp1', 100],
    ['qps=-1', 100],
    ['qps=0', 100],
    ['qps=x', 100],
    ['', 100],
    ['permit=4', 100],
  ];
  for (const [text, qps] of cases) t.equal(readNumber(text, 100, quiet), qps, text);
  t.equal(readPermits('permit=3', quiet), 3);
  t.equal(readPermits('permit=0', quiet), 0);
  t.equal(readPermits('permit=2.5', quiet), 1);
});

t.test('queues calls above the concurrency limit in order, with a timeout', async (t) => {
  const permits = new Permits(ownLimits.count('', 1), 30);
  t.equal(permits.acquire(), true);
  const second = permits.acquire();
  permits.release();
  t.equal(await second, true);
  const keep = setTimeout(quiet, 1000); // Keeps the process alive, unlike the timers of permits.
  t.equal(await permits.acquire(), false);
  clearTimeout(keep);
  permits.release();
  t.equal(permits.acquire(), true);
});

t.test('rejects calls only by the concurrency limit and frees the permit after the call', async (t) => {
  const limit = { component: 'X', strategy: 'GlobalPreemptibleAdapter', paramString: 'permit=1' };
  const gate = admission({ http: [limit] });
  const first = gate.enter('http', 'X', '1.1.1.1') as AdmittedCall;
  t.equal(first.isAdmitted, true);
  const second = gate.enter('http', 'X', '1.1.1.1');
  t.type(second, Promise);
  first.leave();
  first.leave();
  t.equal((await second).isAdmitted, true, 'a permit that is returned twice is granted once');
  t.type(gate.enter('http', 'X', '1.1.1.1'), Promise);
});

t.test('combines the global, address and interface limits', async (t) => {
  let now = 0;
  const gate = admission({ qps: 1000, addressQps: 20, nowMs: () => now });
  t.equal((gate.enter('rpc', 'm', 'a') as AdmittedCall).isAdmitted, true);
  now = 10;
  const started = performance.now();
  const second = gate.enter('rpc', 'm', 'a');
  t.type(second, Promise);
  t.equal(gate.queuedCalls, 1);
  t.notOk(gate.enter('rpc', 'm', 'b') instanceof Promise, 'a call of another address is not delayed');
  const keep = setTimeout(quiet, 1000);
  await second;
  clearTimeout(keep);
  t.ok(performance.now() - started > 30);
  t.notOk(gate.enter('rpc', 'm', '') instanceof Promise, 'a call without an address is not delayed');
});

t.test('names unknown strategies and keeps the default', async (t) => {
  const warnings: string[] = [];
  const wrong = { component: 'protocol.Wallet/GetAccount', strategy: 'X', paramString: '' };
  admission({ rpc: [wrong, { ...wrong, strategy: '' }], warn: (text) => warnings.push(text) });
  t.same(warnings, ['the rate limiter adaptor X is undefined.']);
  warnings.length = 0;
  const gate = admission({ http: [{ ...wrong, component: 'S' }], warn: (text) => warnings.push(text) });
  t.same(warnings, ['failure to add the rate limiter strategy. servlet = S, strategy name = X, params = "".']);
  t.equal((gate.enter('http', 'S', 'a') as AdmittedCall).isAdmitted, true);
});

t.test('bounds the queue of delayed calls', async (t) => {
  const gate = admission({ qps: 0.0001, nowMs: () => 0 });
  const calls = Array.from({ length: 2001 }, () => gate.enter('http', 'X', 'a'));
  t.equal(calls.filter((call) => call instanceof Promise).length, 2000);
  t.same((gate.enter('http', 'X', 'a') as AdmittedCall).isAdmitted, false);
});

const later = apiRelease('4.8.2').admission;
const ONE = { strategy: 'GlobalPreemptibleAdapter', paramString: 'permit=0' };

t.test('since 4.8.2, checks the interface limit first, so a rejected call uses no other permits', async (t) => {
  const limit = { component: 'X', strategy: 'GlobalPreemptibleAdapter', paramString: 'permit=0' };
  const used = async (options: Partial<RateLimitOptions>): Promise<boolean> => {
    const gate = admission({ addressQps: 1, http: [limit], nowMs: () => 0, ...options });
    void gate.enter('http', 'X', 'a');
    return gate.enter('http', 'Y', 'a') instanceof Promise;
  };
  t.equal(await used({}), true, 'the call that waits for the interface limit has used a permit of its address');
  t.equal(await used({ rules: later }), false);
});

t.test('checks all three limits in the order of 4.8.2', async (t) => {
  const gate = admission({ rules: later, qps: 100, addressQps: 50, interfaceQps: 25, nowMs: () => 0 });
  const keep = setTimeout(quiet, 2000);
  t.equal((gate.enter('http', 'X', 'a') as AdmittedCall).isAdmitted, true);
  const started = performance.now();
  const second = gate.enter('http', 'X', 'a');
  t.type(second, Promise);
  t.equal((await second).isAdmitted, true);
  clearTimeout(keep);
  t.ok(performance.now() - started > 35, 'at least the time of the interface limit');
});

t.test('rejects calls without queueing and returns the permits', async (t) => {
  let now = 0;
  const place = { ...ONE, component: 'X', paramString: 'permit=1' };
  const slow = { component: 'Q', strategy: 'QpsRateLimiterAdapter', paramString: 'qps=1' };
  const perAddress = { component: 'I', strategy: 'IPQPSRateLimiterAdapter', paramString: 'qps=1' };
  const gate = admission({
    rules: later,
    refusesAtOnce: true,
    addressQps: 10,
    http: [place, slow, perAddress],
    nowMs: () => now,
  });
  const enter = (component: string, address: string): boolean => {
    now += 1; // The limit of all calls issues one permit per millisecond.
    const entry = gate.enter('http', component, address) as AdmittedCall;
    entry.leave();
    return entry.isAdmitted;
  };
  const first = gate.enter('http', 'X', 'a') as AdmittedCall;
  t.same([first.isAdmitted, enter('X', 'b')], [true, false], 'one call at once');
  first.leave();
  t.same([enter('X', 'a'), enter('X', 'b')], [false, true], 'address a must wait, and address b uses the permit');
  t.same([enter('Q', 'c'), enter('Q', 'd')], [true, false]);
  now = 1010;
  t.same([enter('Q', 'd'), enter('I', 'e'), enter('I', 'f')], [true, true, true]);
  now = 1500;
  t.equal(enter('I', 'e'), false, 'the address has used its permit of this second');
});

t.test('an interface without its own limit keeps the unused permits of the first second', async (t) => {
  let now = 0;
  const gate = admission({ rules: later, refusesAtOnce: true, nowMs: () => now });
  now = 1_000;
  const admitted = [0, 0, 0].map(() => (gate.enter('http', 'X', '') as AdmittedCall).isAdmitted);
  t.same(admitted, [true, true, true]);
});

t.test('does not start with an invalid limit since 4.8.2', async (t) => {
  const text = (strategy: string, paramString: string): string =>
    `failure to add the rate limiter strategy. servlet = S, strategy name = ${strategy}, params = "${paramString}".`;
  const wrong: readonly (readonly [strategy: string, paramString: string])[] = [
    ['X', ''],
    ['', 'qps=1'],
    ['QpsRateLimiterAdapter', ''],
    ['QpsRateLimiterAdapter', 'qps=-1'],
    ['DefaultBaseQqsAdapter', 'qps=x'],
  ];
  for (const [strategy, paramString] of wrong) {
    const http = [{ component: 'S', strategy, paramString }];
    t.throws(() => admission({ rules: later, http }), { message: text(strategy, paramString) }, strategy);
  }
  const right = ['QpsRateLimiterAdapter qps=2', 'DefaultBaseQqsAdapter qps=2', 'IPQPSRateLimiterAdapter x'];
  for (const line of right) {
    const [strategy, paramString] = line.split(' ') as [string, string];
    t.ok(admission({ rules: later, http: [{ component: 'S', strategy, paramString }] }), line);
  }
  const warnings: string[] = [];
  const rpc = [{ component: 'S', strategy: 'QpsRateLimiterAdapter', paramString: '' }];
  admission({ rules: later, rpc, warn: (line) => warnings.push(line) });
  t.same(warnings.at(-1), 'the rate limiter adaptor QpsRateLimiterAdapter is undefined.', 'a warning for gRPC');
});
