import { bn254 } from '@noble/curves/bn254.js';
import t, { type Test } from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { bnAdd, bnMultiply, bnPairing } from '../../../../src/vm/precompiles/bn128.js';
import type { Precompile } from '../../../../src/vm/precompiles/precompile.js';
import * as noble from '../../../support/vm/noble-bn128.js';
import { Seeded } from '../../../support/vm/random-program.js';

// Compares the curve in WebAssembly with a JavaScript library, for valid points, invalid points and odd lengths.

const { Fp, Fp2, Fr } = bn254.fields;
const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
const hex = (...numbers: readonly bigint[]) => numbers.map((number) => number.toString(16).padStart(64, '0')).join('');
const INFINITY = hex(0n, 0n);
const random = new Seeded(128);
const scalar = () => BigInt(`0x${Array.from({ length: 64 }, () => random.below(16).toString(16)).join('')}`);

function pointHex(factor: bigint): string {
  const { x, y } = G1.BASE.multiply((factor % (Fr.ORDER - 1n)) + 1n).toAffine();
  return hex(x, y);
}

function twistHex(factor: bigint): string {
  const { x, y } = G2.BASE.multiply((factor % (Fr.ORDER - 1n)) + 1n).toAffine();
  return hex(x.c1, x.c0, y.c1, y.c0);
}

/** Returns a point of the twist that is outside of the group. Nearly every point with a chosen x is such a point. */
function stray(imaginary: bigint): InstanceType<typeof G2> {
  for (let c0 = 1n; ; c0++) {
    const x = Fp2.create({ c0, c1: imaginary });
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), G2.CURVE().b);
    try {
      return G2.fromAffine({ x, y: Fp2.sqrt(square) });
    } catch {
      // No point has this x coordinate.
    }
  }
}

function hexOf(point: InstanceType<typeof G2>): string {
  const { x, y } = point.toAffine();
  return hex(x.c1, x.c0, y.c1, y.c0);
}

/** Multiplies a point by a number of any size, in steps, because the library accepts only numbers below the order. */
function multiple(point: InstanceType<typeof G2>, factor: bigint): InstanceType<typeof G2> {
  let result = G2.ZERO;
  for (const bit of factor.toString(2)) result = bit === '1' ? result.double().add(point) : result.double();
  return result;
}

const strayHex = (): string => hexOf(stray(1n));

const PAIRS = {
  bnAdd: [bnAdd, noble.bnAdd],
  bnMultiply: [bnMultiply, noble.bnMultiply],
  bnPairing: [bnPairing, noble.bnPairing],
} as const;

function same(t: Test, kind: keyof typeof PAIRS, input: string, name: string): void {
  const run = (precompile: Precompile) => {
    const { isSuccess, data } = precompile.run(fromHex(input), undefined as never);
    return { isSuccess, data: toHex(data) };
  };
  const [ours, second] = PAIRS[kind];
  t.same(run(ours), run(second), `${kind}: ${name}`);
}

const badPoints: readonly (readonly [string, string])[] = [
  ['a point that is not on the curve', hex(1n, 3n)],
  ['x equal to the field prime', hex(Fp.ORDER, 2n)],
  ['y above the field prime', hex(1n, 2n + Fp.ORDER)],
  ['y of 0', hex(1n, 0n)],
  ['coordinates equal to the field prime', hex(Fp.ORDER, Fp.ORDER)],
];

t.test('adds and multiplies points', async (t) => {
  for (let i = 0; i < 20; i++) {
    const [a, b] = [pointHex(scalar()), pointHex(scalar())];
    same(t, 'bnAdd', a + b, 'two points');
    same(t, 'bnMultiply', a + hex(scalar()), 'a point');
  }
  const a = pointHex(7n);
  const { x, y } = G1.BASE.multiply(8n).negate().toAffine();
  same(t, 'bnAdd', a + a, 'a point and itself');
  same(t, 'bnAdd', a + hex(x, y), 'a point and its opposite');
  same(t, 'bnAdd', a + INFINITY, 'infinity');
  same(t, 'bnAdd', '', 'nothing');
  same(t, 'bnAdd', a.slice(0, 100), 'a truncated point');
  same(t, 'bnAdd', `${a}${a}ff`, 'more than two points');
  for (const factor of [0n, 1n, Fr.ORDER, Fr.ORDER - 1n, (1n << 256n) - 1n]) {
    same(t, 'bnMultiply', a + hex(factor), `times ${factor}`);
    same(t, 'bnMultiply', INFINITY + hex(factor), `infinity times ${factor}`);
  }
  for (const [name, bad] of badPoints) {
    same(t, 'bnAdd', bad + a, name);
    same(t, 'bnAdd', a + bad, name);
    same(t, 'bnMultiply', bad + hex(3n), name);
  }
});

t.test('checks pairings', async (t) => {
  const [a, b] = [3n, 11n];
  const [point, twist] = [pointHex(a), twistHex(b)];
  const { x, y } = G1.fromAffine({ x: BigInt(`0x${point.slice(0, 64)}`), y: BigInt(`0x${point.slice(64)}`) })
    .negate()
    .toAffine();
  const opposite = hex(x, y);
  const noTwist = hex(0n, 0n, 0n, 0n);
  same(t, 'bnPairing', '', 'no pair');
  same(t, 'bnPairing', point + twist, 'one pair');
  same(t, 'bnPairing', point + twist + opposite + twist, 'a pair and its opposite');
  same(t, 'bnPairing', point + twist + point + twist, 'the same pair twice');
  same(t, 'bnPairing', INFINITY + twist, 'infinity');
  same(t, 'bnPairing', point + noTwist, 'infinity of the twist');
  same(t, 'bnPairing', `${point}${twist}00`, 'an odd length');
  same(t, 'bnPairing', point + strayHex(), 'a point outside of the group');
  same(t, 'bnPairing', INFINITY + strayHex(), 'a point outside of the group, paired with infinity');
  for (let imaginary = 2n; imaginary < 12n; imaginary++) {
    same(t, 'bnPairing', point + hexOf(stray(imaginary)), `outside of the group, ${imaginary}`);
  }
  // The twist has (2p − r) times as many points as the group. The smallest prime factor of 2p − r is 10,069.
  const others = (2n * Fp.ORDER - Fr.ORDER) / 10_069n;
  const small = multiple(stray(1n), others * Fr.ORDER);
  t.ok(multiple(small, 10_069n).is0() && !small.is0());
  same(t, 'bnPairing', point + hexOf(small), 'a point of a small order');
  same(t, 'bnPairing', point + hexOf(small.add(G2.BASE)), 'the sum of a group point and a point of small order');
  same(t, 'bnPairing', (point + twist + opposite + twist).repeat(20), 'more pairs than the maximum of one Miller loop');
  same(t, 'bnPairing', (point + twist).repeat(17), 'one pair more than the maximum of one Miller loop');
  same(t, 'bnPairing', point + hex(1n, 2n, 3n, 4n), 'a point that is not on the twist');
  same(t, 'bnPairing', point + hex(Fp.ORDER, 0n, 0n, 0n), 'a coordinate equal to the field prime');
  for (const [name, bad] of badPoints) same(t, 'bnPairing', bad + twist, name);
});
