import t from 'tap';
import { AddressRates } from '../../../src/api/admission/address-rates.js';
import { Admission, type AdmissionOptions, type Entry } from '../../../src/api/admission/admission.js';
import { Permits } from '../../../src/api/admission/permits.js';
import { SmoothRate } from '../../../src/api/admission/smooth-rate.js';
import { readNumber, readPermits } from '../../../src/api/admission/strategy-parameters.js';

const quiet = (): void => {};

function admission(options: Partial<AdmissionOptions>): Admission {
  return new Admission({ qps: 50_000, addressQps: 10_000, http: [], rpc: [], warn: quiet, ...options });
}

t.test('a rate lets the first call through and makes each next one pay for it', async (t) => {
  const rate = new SmoothRate(10, 0);
  t.same(
    [0, 0, 0, 250].map((now) => rate.reserve(now)),
    [0, 100, 200, 50],
  );
});

t.test('what is not used is kept for one second, not longer', async (t) => {
  const rate = new SmoothRate(2, 0);
  t.equal(rate.reserve(60_000), 0);
  t.same(
    [0, 0, 0].map(() => rate.reserve(60_000)),
    [0, 0, 500],
    'two permits were stored',
  );
  const endless = new SmoothRate(Number.POSITIVE_INFINITY, 0);
  t.same(
    [0, 0, 5].map((now) => endless.reserve(now)),
    [0, 0, 0],
  );
});

t.test('addresses have rates of their own, for their time, and only so many of them', async (t) => {
  const rates = new AddressRates({ perSecond: 1, lifeMs: 10_000 });
  t.equal(rates.reserve('a', 0), 0);
  t.equal(rates.reserve('a', 0), 1000);
  t.equal(rates.reserve('b', 0), 0);
  t.equal(rates.reserve('a', 10_000), 0, 'a new limiter after its time');
  for (let at = 0; at < 10_100; at++) rates.reserve(`10.0.${at >> 8}.${at & 255}`, 10_000);
  t.equal(rates.size, 10_000);
  t.equal(rates.reserve('b', 10_000), 0, 'the longest unused was dropped');
});

t.test('parameters are read as the reference reads them', async (t) => {
  const cases: readonly (readonly [text: string, qps: number])[] = [
    ['qps=5', 5],
    ['a=1 qps=2.5 b=3', 2.5],
    ['qps=5 qps=7', 7],
    ['qps=1e2', 100],
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

t.test('a number of calls at once: others wait in order and give up', async (t) => {
  const permits = new Permits(1, 30);
  t.equal(permits.acquire(), true);
  const second = permits.acquire();
  permits.release();
  t.equal(await second, true);
  const keep = setTimeout(quiet, 1000); // the permits' own timer does not hold the process
  t.equal(await permits.acquire(), false);
  clearTimeout(keep);
  permits.release();
  t.equal(permits.acquire(), true);
});

t.test('only a limit of calls at once turns callers away; its place is free again after the call', async (t) => {
  const limit = { component: 'X', strategy: 'GlobalPreemptibleAdapter', paramString: 'permit=1' };
  const gate = admission({ http: [limit] });
  const first = gate.enter('http', 'X', '1.1.1.1') as Entry;
  t.equal(first.isAdmitted, true);
  const second = gate.enter('http', 'X', '1.1.1.1');
  t.type(second, Promise);
  first.leave();
  first.leave();
  t.equal((await second).isAdmitted, true, 'given back once, taken once');
  t.type(gate.enter('http', 'X', '1.1.1.1'), Promise);
});

t.test('the limits of all calls, of the address and of the interface add up', async (t) => {
  let now = 0;
  const gate = admission({ qps: 1000, addressQps: 20, nowMs: () => now });
  t.equal((gate.enter('rpc', 'm', 'a') as Entry).isAdmitted, true);
  now = 10;
  const started = performance.now();
  const second = gate.enter('rpc', 'm', 'a');
  t.type(second, Promise);
  t.equal(gate.waitingCalls, 1);
  t.notOk(gate.enter('rpc', 'm', 'b') instanceof Promise, 'another address does not wait');
  const keep = setTimeout(quiet, 1000);
  await second;
  clearTimeout(keep);
  t.ok(performance.now() - started > 30);
  t.notOk(gate.enter('rpc', 'm', '') instanceof Promise, 'an unknown address passes');
});

t.test('strategies that do not exist are named, and the default stays', async (t) => {
  const heard: string[] = [];
  const wrong = { component: 'protocol.Wallet/GetAccount', strategy: 'X', paramString: '' };
  admission({ rpc: [wrong, { ...wrong, strategy: '' }], warn: (text) => heard.push(text) });
  t.same(heard, ['the rate limiter adaptor X is undefined.']);
  heard.length = 0;
  const gate = admission({ http: [{ ...wrong, component: 'S' }], warn: (text) => heard.push(text) });
  t.same(heard, ['failure to add the rate limiter strategy. servlet = S, strategy name = X, params = "".']);
  t.equal((gate.enter('http', 'S', 'a') as Entry).isAdmitted, true);
});

t.test('no more calls wait than there is room for', async (t) => {
  const gate = admission({ qps: 0.0001, nowMs: () => 0 });
  const calls = Array.from({ length: 2001 }, () => gate.enter('http', 'X', 'a'));
  t.equal(calls.filter((call) => call instanceof Promise).length, 2000);
  t.same((gate.enter('http', 'X', 'a') as Entry).isAdmitted, false);
});
