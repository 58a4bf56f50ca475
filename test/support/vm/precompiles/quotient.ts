import { type ConstraintSystem, Fr } from './constraint-system.js';

/** Generator of the multiplicative group of the field. It shifts the evaluation domain to a coset. */
const GENERATOR = 7n;

/**
 * Returns the coefficients of the polynomial (left × right − product) / zero. Each constraint is represented by a
 * root of unity. The polynomial `zero` is 0 at all these roots. Reference: bellman, EvaluationDomain.
 */
export function quotientCoefficients({ left, right, product }: ConstraintSystem): bigint[] {
  const size = 2 ** Math.ceil(Math.log2(left.length));
  const root = Fr.pow(GENERATOR, (Fr.ORDER - 1n) / BigInt(size));
  const [a, b, c] = [left, right, product].map((values) => {
    const padded = [...values, ...new Array<bigint>(size - values.length).fill(0n)];
    return transform(stretch(interpolate(padded, root), GENERATOR), root);
  }) as [bigint[], bigint[], bigint[]];
  // The polynomial `zero` has the same value at all points of the coset.
  const divisor = Fr.inv(Fr.sub(Fr.pow(GENERATOR, BigInt(size)), 1n));
  const values = a.map((value, i) => Fr.create((value * b[i]! - c[i]!) * divisor));
  return stretch(interpolate(values, root), Fr.inv(GENERATOR)).slice(0, size - 1);
}

function interpolate(values: readonly bigint[], root: bigint): bigint[] {
  const inverse = Fr.inv(BigInt(values.length));
  return transform(values, Fr.inv(root)).map((value) => Fr.mul(value, inverse));
}

function stretch(coefficients: readonly bigint[], factor: bigint): bigint[] {
  let power = 1n;
  return coefficients.map((coefficient) => {
    const result = Fr.mul(coefficient, power);
    power = Fr.mul(power, factor);
    return result;
  });
}

/** Evaluates a polynomial at all powers of a root of unity. Splits the polynomial into halves recursively (FFT). */
function transform(coefficients: readonly bigint[], root: bigint): bigint[] {
  const { length } = coefficients;
  if (length === 1) return [...coefficients];
  const square = Fr.sqr(root);
  const even = transform(
    coefficients.filter((_, i) => i % 2 === 0),
    square,
  );
  const odd = transform(
    coefficients.filter((_, i) => i % 2 === 1),
    square,
  );
  const result = new Array<bigint>(length);
  let power = 1n;
  for (let i = 0; i < length / 2; i++) {
    const term = Fr.mul(power, odd[i]!);
    result[i] = Fr.add(even[i]!, term);
    result[i + length / 2] = Fr.sub(even[i]!, term);
    power = Fr.mul(power, root);
  }
  return result;
}
