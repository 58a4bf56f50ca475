import { jubjub } from '@noble/curves/misc.js';
import type { JubjubPoint } from '../../../../src/vm/precompiles/sapling/jubjub.js';
import {
  allocateNum,
  and,
  assertNonzero,
  type Bit,
  bitTerms,
  constantBit,
  expose,
  multiply,
  type Num,
  scaled,
  strictBits,
} from './bit-gadgets.js';
import { type Combination, type ConstraintSystem, Fr, ONE } from './constraint-system.js';

/** A point of Jubjub in a circuit. The equations are those of `ecc` in the sapling-crypto crate. */
export interface CircuitPoint {
  readonly u: Num;
  readonly v: Num;
}

const D = jubjub.Point.CURVE().d;
const one: Combination = [[ONE, 1n]];
const minus = (terms: Combination): Combination => scaled(terms, -1n);
const divide = (a: bigint, b: bigint): bigint => Fr.mul(a, Fr.inv(Fr.create(b)));

/** Allocates a point that only the prover knows. */
export function allocatePoint(system: ConstraintSystem, point: JubjubPoint): CircuitPoint {
  const { x, y } = point.toAffine();
  const u = allocateNum(system, x);
  const v = allocateNum(system, y);
  const uu = multiply(system, u, u);
  const vv = multiply(system, v, v);
  const uuvv = multiply(system, uu, vv);
  system.enforce([...minus(uu.terms), ...vv.terms], one, [...one, ...scaled(uuvv.terms, D)]);
  return { u, v };
}

export function exposePoint(system: ConstraintSystem, { u, v }: CircuitPoint): void {
  expose(system, u);
  expose(system, v);
}

/** Returns the 256 bits of the encoding of a point. */
export function pointBits(system: ConstraintSystem, { u, v }: CircuitPoint): Bit[] {
  const sign = strictBits(system, u)[0]!;
  return [...strictBits(system, v), sign];
}

export function assertLargeOrder(system: ConstraintSystem, point: CircuitPoint): void {
  let multiple = point;
  for (let doubling = 0; doubling < 3; doubling++) multiple = double(system, multiple);
  assertNonzero(system, multiple.u);
}

function double(system: ConstraintSystem, { u, v }: CircuitPoint): CircuitPoint {
  const sum = [...u.terms, ...v.terms];
  const t = allocateNum(system, Fr.sqr(u.value + v.value));
  system.enforce(sum, sum, t.terms);
  const a = multiply(system, u, v);
  const c = allocateNum(system, Fr.create(D * a.value * a.value));
  system.enforce(scaled(a.terms, D), a.terms, c.terms);
  return quotients(system, c, [a, a], t);
}

export function add(system: ConstraintSystem, p: CircuitPoint, q: CircuitPoint): CircuitPoint {
  const t = allocateNum(system, Fr.mul(p.u.value + p.v.value, q.u.value + q.v.value));
  system.enforce([...p.u.terms, ...p.v.terms], [...q.u.terms, ...q.v.terms], t.terms);
  const a = multiply(system, q.v, p.u);
  const b = multiply(system, q.u, p.v);
  const c = allocateNum(system, Fr.create(D * a.value * b.value));
  system.enforce(scaled(a.terms, D), b.terms, c.terms);
  return quotients(system, c, [a, b], t);
}

/** Returns the last step of an addition or doubling: u = (a + b) / (1 + c) and v = (t − a − b) / (1 − c). */
function quotients(system: ConstraintSystem, c: Num, [a, b]: readonly [Num, Num], t: Num): CircuitPoint {
  const u = allocateNum(system, divide(a.value + b.value, 1n + c.value));
  system.enforce([...one, ...c.terms], u.terms, [...a.terms, ...b.terms]);
  const v = allocateNum(system, divide(t.value - a.value - b.value, 1n - c.value));
  system.enforce([...one, ...minus(c.terms)], v.terms, [...t.terms, ...minus(a.terms), ...minus(b.terms)]);
  return { u, v };
}

/** Multiplies a point by a number. @param bits bits of the number, lowest first */
export function multiplyPoint(system: ConstraintSystem, point: CircuitPoint, bits: readonly Bit[]): CircuitPoint {
  let base = point;
  let result: CircuitPoint | undefined;
  for (const [i, bit] of bits.entries()) {
    if (i > 0) base = double(system, base);
    const summand = select(system, base, bit);
    result = result === undefined ? summand : add(system, result, summand);
  }
  return result!;
}

/** Returns the point if the bit is 1, otherwise the neutral element. */
function select(system: ConstraintSystem, { u, v }: CircuitPoint, bit: Bit): CircuitPoint {
  const condition = bitTerms(bit, 1n);
  const chosenU = allocateNum(system, bit.value ? u.value : 0n);
  system.enforce(u.terms, condition, chosenU.terms);
  const chosenV = allocateNum(system, bit.value ? v.value : 1n);
  system.enforce(v.terms, condition, [...chosenV.terms, [ONE, -1n], ...condition]);
  return { u: chosenU, v: chosenV };
}

/** Multiplies a public point by a number, three bits at a time. @param bits bits of the number, lowest first */
export function multiplyFixed(system: ConstraintSystem, base: JubjubPoint, bits: readonly Bit[]): CircuitPoint {
  let result: CircuitPoint | undefined;
  let unit = base;
  for (let at = 0; at < bits.length; at += 3) {
    const window = [0, 1, 2].map((i) => bits[at + i] ?? constantBit(false)) as [Bit, Bit, Bit];
    const multiples = [jubjub.Point.ZERO];
    while (multiples.length < 8) multiples.push(multiples.at(-1)!.add(unit));
    unit = multiples.at(-1)!.add(unit);
    const point = lookUp(system, window, multiples);
    result = result === undefined ? point : add(system, result, point);
  }
  return result!;
}

/** Selects one of eight public points by three bits. Reference: bellman, lookup3_xy. */
function lookUp(system: ConstraintSystem, [a, b, c]: readonly [Bit, Bit, Bit], points: JubjubPoint[]): CircuitPoint {
  const index = Number(a.value) + 2 * Number(b.value) + 4 * Number(c.value);
  const tables = (['x', 'y'] as const).map((axis) => points.map((point) => point.toAffine()[axis]));
  const [u, v] = tables.map((table) => allocateNum(system, table[index]!)) as [Num, Num];
  const both = and(system, b, c);
  for (const [i, num] of [u, v].entries()) {
    const k = subsetCoefficients(tables[i]!);
    system.enforce(
      [[ONE, k[1]!], ...bitTerms(b, k[3]!), ...bitTerms(c, k[5]!), ...bitTerms(both, k[7]!)],
      bitTerms(a, 1n),
      [...num.terms, [ONE, -k[0]!], ...minus([...bitTerms(b, k[2]!), ...bitTerms(c, k[4]!), ...bitTerms(both, k[6]!)])],
    );
  }
  return { u, v };
}

/**
 * Returns the coefficients of a polynomial in bits. The polynomial has the value `values[i]` if the bits are those of
 * the index i.
 */
export function subsetCoefficients(values: readonly bigint[]): bigint[] {
  const result: bigint[] = [];
  for (const [set, value] of values.entries()) {
    let rest = value;
    for (let below = 0; below < set; below++) if ((below & set) === below) rest -= result[below]!;
    result.push(Fr.create(rest));
  }
  return result;
}
