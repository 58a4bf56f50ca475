import { jubjub_findGroupHash } from '@noble/curves/misc.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import type { JubjubPoint } from '../../../../src/vm/precompiles/sapling/jubjub.js';
import { allocateNum, and, type Bit, bitTerms, constantBit, type Num, scaled } from './bit-gadgets.js';
import { type Combination, type ConstraintSystem, Fr, ONE } from './constraint-system.js';
import { add, type CircuitPoint, subsetCoefficients } from './curve-gadgets.js';

/** A point of the curve in Montgomery form. */
interface MontgomeryPoint {
  readonly x: Num;
  readonly y: Num;
}

const A = 40962n;
/** Square root of 4 / (−1 − d). The circuit uses this root and not its negative. */
const SCALE = 0x2762de61e862645e31de341e77d764e5ce4069703da88abd8f4535f7cf82b8d9n;
const WINDOWS = 63;
const minus = (terms: Combination): Combination => scaled(terms, -1n);
const divide = (a: bigint, b: bigint): bigint => Fr.mul(a, Fr.inv(Fr.create(b)));

/**
 * Returns the Pedersen hash of bits as a point. The first bits are a prefix for the purpose of the hash. Reference:
 * sapling-crypto, circuit::pedersen_hash.
 */
export function pedersenHashInCircuit(system: ConstraintSystem, bits: readonly Bit[]): CircuitPoint {
  let result: CircuitPoint | undefined;
  for (let segment = 0; segment * WINDOWS * 3 < bits.length; segment++) {
    const start = segment * WINDOWS * 3;
    let unit = generator(segment);
    let sum: MontgomeryPoint | undefined;
    for (let at = start; at < Math.min(start + WINDOWS * 3, bits.length); at += 3) {
      const window = [0, 1, 2].map((i) => bits[at + i] ?? constantBit(false)) as [Bit, Bit, Bit];
      const point = lookUpSigned(system, window, unit);
      sum = sum === undefined ? point : addMontgomery(system, point, sum);
      for (let doubling = 0; doubling < 4; doubling++) unit = unit.double();
    }
    const edwards = toEdwards(system, sum!);
    result = result === undefined ? edwards : add(system, edwards, result);
  }
  return result!;
}

function generator(segment: number): JubjubPoint {
  return jubjub_findGroupHash(Uint8Array.of(segment, 0, 0, 0), utf8('Zcash_PH'));
}

/**
 * Returns one to four times a point. Two bits select the factor, and the third bit negates the result. Reference:
 * lookup3_xy_with_conditional_negation.
 */
function lookUpSigned(
  system: ConstraintSystem,
  [a, b, sign]: readonly [Bit, Bit, Bit],
  unit: JubjubPoint,
): MontgomeryPoint {
  const points = [unit];
  while (points.length < 4) points.push(points.at(-1)!.add(unit));
  const coordinates = points.map(montgomeryCoordinates);
  const chosen = coordinates[Number(a.value) + 2 * Number(b.value)]!;
  const y = allocateNum(system, sign.value ? Fr.neg(chosen.y) : chosen.y);
  const both = and(system, a, b);
  const [kx, ky] = (['x', 'y'] as const).map((axis) => subsetCoefficients(coordinates.map((point) => point[axis])));
  const terms = (k: bigint[]): Combination => [
    [ONE, k[0]!],
    ...bitTerms(a, k[1]!),
    ...bitTerms(b, k[2]!),
    ...bitTerms(both, k[3]!),
  ];
  const unsigned = terms(ky!);
  system.enforce(scaled(unsigned, 2n), bitTerms(sign, 1n), [...unsigned, ...minus(y.terms)]);
  return { x: { value: chosen.x, terms: terms(kx!) }, y };
}

function montgomeryCoordinates(point: JubjubPoint): { x: bigint; y: bigint } {
  const { x: u, y: v } = point.toAffine();
  const x = divide(1n + v, 1n - v);
  return { x, y: Fr.create(divide(x, u) * SCALE) };
}

function addMontgomery(system: ConstraintSystem, p: MontgomeryPoint, q: MontgomeryPoint): MontgomeryPoint {
  const slope = allocateNum(system, divide(q.y.value - p.y.value, q.x.value - p.x.value));
  system.enforce([...q.x.terms, ...minus(p.x.terms)], slope.terms, [...q.y.terms, ...minus(p.y.terms)]);
  const x = allocateNum(system, Fr.create(slope.value ** 2n - A - p.x.value - q.x.value));
  system.enforce(slope.terms, slope.terms, [[ONE, A], ...p.x.terms, ...q.x.terms, ...x.terms]);
  const y = allocateNum(system, Fr.create(-(slope.value * (x.value - p.x.value) + p.y.value)));
  system.enforce([...p.x.terms, ...minus(x.terms)], slope.terms, [...y.terms, ...p.y.terms]);
  return { x, y };
}

function toEdwards(system: ConstraintSystem, { x, y }: MontgomeryPoint): CircuitPoint {
  const u = allocateNum(system, divide(x.value * SCALE, y.value));
  system.enforce(y.terms, u.terms, scaled(x.terms, SCALE));
  const v = allocateNum(system, divide(x.value - 1n, x.value + 1n));
  system.enforce([...x.terms, [ONE, 1n]], v.terms, [...x.terms, [ONE, -1n]]);
  return { u, v };
}
