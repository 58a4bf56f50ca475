import type { bls12_381 } from '@noble/curves/bls12-381.js';
import type { bn254 } from '@noble/curves/bn254.js';

interface Addable<Point> {
  add(other: Point): Point;
  double(): Point;
  subtract(other: Point): Point;
}

/**
 * Returns a multiple of a point of any order. The factor must be above 0. Unlike the method of the library, this
 * function accepts factors above the order of the group.
 */
export function multipleOf<Point extends Addable<Point>>(point: Point, factor: bigint): Point {
  let result = point.subtract(point);
  for (const bit of factor.toString(2)) {
    result = result.double();
    if (bit === '1') result = result.add(point);
  }
  return result;
}

/**
 * Yields points of a curve's twist, nearly all of them outside of the subgroup. @param number returns a number from
 * which the next x is made
 */
export function* straysOfTwist(curve: typeof bls12_381 | typeof bn254, number: () => bigint): Generator<TwistPoint> {
  const { Fp2 } = curve.fields;
  const { Point } = curve.G2;
  for (let i = 0; i < 40; i++) {
    const x = Fp2.create({ c0: BigInt(i), c1: number() % 7n });
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), Point.CURVE().b);
    let y: typeof square;
    try {
      y = Fp2.sqrt(square);
    } catch {
      continue;
    }
    yield Point.fromAffine({ x, y });
  }
}

type TwistPoint = InstanceType<typeof bls12_381.G2.Point>;
