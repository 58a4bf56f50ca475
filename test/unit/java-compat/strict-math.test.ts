import t from 'tap';
import { javaDigits } from '../../../src/java-compat/double-text.js';
import { strictPow } from '../../../src/java-compat/strict-math.js';
import { chainPow } from '../../../src/state-transition/state/chain-pow.js';
import { hardenedAmount } from '../../../src/state-transition/system-contracts/exchange/exchange-pool.js';
import { stateWith } from '../../support/vm/state-with.js';
import recorded from './strict-math.vectors.json' with { type: 'json' };

// Expected values from OpenJDK 17: `StrictMath.pow`, `Double.toString`, and a trade computed with BigDecimal.
t.test('computes powers with the bits of fdlibm', async (t) => {
  for (const [base, exponent, power] of recorded.powers as [string, string, string][]) {
    const [x, y] = [fromBits(base), fromBits(exponent)];
    t.ok(Object.is(strictPow(x, y), fromBits(power)), `${x} ^ ${y} is ${strictPow(x, y)}`);
  }
});

t.test('uses main net history for powers only before proposal 87', async (t) => {
  const [base, exponent] = [fromBits('3ff0192278704be3'), 0.0005];
  const before = chainPow(stateWith().properties, base, exponent);
  const after = chainPow(stateWith({ ALLOW_STRICT_MATH: 1n }).properties, base, exponent);
  t.equal(toBits(before), '3ff000033518c576');
  t.equal(toBits(after), toBits(strictPow(base, exponent)));
  t.not(before, after);
});

t.test('prints a double with the digits of Java before release 19', async (t) => {
  for (const [value, text] of recorded.texts as [string, string][]) {
    const { digits, exponent } = javaDigits(fromBits(value));
    t.same(withoutZeros(digits, exponent), parsed(text), text);
  }
});

t.test('pays hardened trades by decimal arithmetic', async (t) => {
  for (const [sell, buy, quant, received] of recorded.trades as [string, string, string, string][]) {
    const paid = hardenedAmount(BigInt(sell), BigInt(buy), BigInt(quant));
    t.equal(String(paid), received, `${quant} into ${sell}:${buy}`);
  }
  t.throws(() => hardenedAmount(1n, 1n, 2n ** 63n - 1n), { message: 'long overflow' });
});

function fromBits(hex: string): number {
  return Buffer.from(hex, 'hex').readDoubleBE();
}

function toBits(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('hex');
}

function parsed(text: string): [bigint, number] {
  const [mantissa = '', power = '0'] = text.split('E');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return withoutZeros(BigInt(whole + fraction), Number(power) - fraction.length);
}

function withoutZeros(digits: bigint, exponent: number): [bigint, number] {
  let [rest, power] = [digits, exponent];
  for (; rest % 10n === 0n; rest /= 10n) power++;
  return [rest, power];
}
