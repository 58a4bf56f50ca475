import { readFileSync } from 'node:fs';
import t from 'tap';
import { ceil, pow, round, toInt, toLong } from '../../../src/java-compat/double.js';
import { INT64_MAX, INT64_MIN } from '../../../src/primitives/int64.js';

const vectors = JSON.parse(readFileSync(new URL('./double.vectors.json', import.meta.url), 'utf8')) as {
  cases: [base: string, exponent: string, power: string][];
};
const fromBits = (hex: string) => Buffer.from(hex, 'hex').readDoubleBE();

t.test('truncates and saturates a cast to long, and converts NaN to zero', async (t) => {
  t.equal(toLong(-1.9), -1n);
  t.equal(toLong(2 ** 63), INT64_MAX);
  t.equal(toLong(Number.NEGATIVE_INFINITY), INT64_MIN);
  t.equal(toLong(Number.NaN), 0n);
  t.equal(toLong(2 ** 53 + 2), 9007199254740994n);
  t.equal(toInt(3e9), 2147483647);
  t.equal(toInt(Number.NaN), 0);
});

t.test('rounds to the floor of the exact sum of the number and one half', async (t) => {
  t.equal(round(0.49999999999999994), 0n);
  t.equal(round(-2.5), -2n);
  t.equal(round(2.5), 3n);
  t.equal(round(1e300), INT64_MAX);
  t.equal(ceil(-0.5), 0n);
});

t.test('returns the double nearest to the exact power', async (t) => {
  for (const [base, exponent, power] of vectors.cases) {
    t.equal(pow(fromBits(base), fromBits(exponent)), fromBits(power), `${base} ^ ${exponent}`);
  }
});

t.test('computes powers of special values like Java', async (t) => {
  t.equal(pow(-8, 3), -512);
  t.equal(pow(0, -1), Number.POSITIVE_INFINITY);
  t.equal(pow(-0, -3), Number.NEGATIVE_INFINITY);
  t.equal(pow(2, 5000), Number.POSITIVE_INFINITY);
  t.equal(pow(2, -5000), 0);
  t.ok(Number.isNaN(pow(-2, 0.5)));
  t.ok(Number.isNaN(pow(1, Number.POSITIVE_INFINITY)));
});

t.test('computes the last bit of a power from network history', async (t) => {
  t.equal(pow(fromBits('3ff0192278704be3'), 0.0005), fromBits('3ff000033518c576'));
});
