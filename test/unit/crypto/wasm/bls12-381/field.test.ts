import { bls12_381 } from '@noble/curves/bls12-381.js';
import t from 'tap';
import { BLS12_381_NUMBER, BLS12_381_P, Bls12381Field } from '../../../../../src/crypto/wasm/bls12-381/field.js';
import { Random } from '../../../../fuzz/random.js';

const { Fp } = bls12_381.fields;
const random = new Random(383, []);
const field = new Bls12381Field(1);
const at = field.allocate(BLS12_381_NUMBER);
const edges = [
  1n,
  2n,
  3n,
  BLS12_381_P - 1n,
  BLS12_381_P - 2n,
  (BLS12_381_P + 1n) / 2n,
  1n << 380n,
  (1n << 380n) - 1n,
  1n << 28n,
  (1n << 364n) - 1n,
];
const values = [
  ...edges,
  ...Array.from({ length: 300 }, () => BigInt(`0x${random.bytes(60).toString('hex')}`) % BLS12_381_P),
];

t.test('computes the same inverses as the library, and 0 for 0', async (t) => {
  for (const value of values) {
    field.store(at, [value, 0n]);
    field.invertReal(at);
    t.equal(field.plainValue(at, 0), Fp.inv(value), `${value}`);
    t.equal(field.plainValue(at, 1), 0n);
  }
  for (const zero of [0n, BLS12_381_P]) {
    field.store(at, [zero, 0n]);
    field.run.multiply(at, at, field.one);
    field.invertReal(at);
    t.equal(field.plainValue(at, 0), 0n);
  }
});

t.test('computes the inverses of numbers with an imaginary part', async (t) => {
  const { Fp2 } = bls12_381.fields;
  for (const [index, value] of values.entries()) {
    const other = values[values.length - 1 - index] ?? 0n;
    field.store(at, [value, other]);
    field.invertComplex(at);
    const expected = Fp2.inv({ c0: value, c1: other });
    t.equal(field.plainValue(at, 0), expected.c0);
    t.equal(field.plainValue(at, 1), expected.c1);
  }
});
