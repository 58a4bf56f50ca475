import type { Complex } from '../pairing/complex-field.js';
import type { MemoryOffset } from '../pairing/pairing-field.js';
import { CompressedPoints, G1_BYTES, G2_BYTES } from './compressed-points.js';
import { BLS12_381_NUMBER, BLS12_381_ORDER, BLS12_381_TOWER, Bls12381Field, POINT } from './field.js';
import { type AffinePoint, BaseTable, FixedBases } from './fixed-bases.js';
import { Bls12381Pairing, PAIRS_MAX } from './pairing.js';
import { RandomFactor, RandomMultiples } from './random-multiples.js';

type CurvePoint = AffinePoint<bigint>;
type TwistPoint = AffinePoint<Complex>;

/**
 * Verifying key of a circuit. All points are in their group and are not infinity. Their coordinates are below the
 * prime.
 */
export interface Groth16Key {
  readonly alpha: CurvePoint;
  readonly beta: TwistPoint;
  readonly gamma: TwistPoint;
  readonly delta: TwistPoint;
  /** Point for the constant input 1. */
  readonly constant: CurvePoint;
  /** Points for the public inputs, in the order of the inputs. */
  readonly inputs: readonly CurvePoint[];
}

/** A verifying key with precomputed tables and lines. */
export interface Circuit {
  readonly inputCount: number;
  readonly alpha: FixedBases;
  /** Multiplication tables for the points of the constant and of the public inputs. */
  readonly inputs: FixedBases;
  /** Prepared lines of the key's point beta: the line coefficients of its Miller loop. */
  readonly beta: MemoryOffset;
  /** Prepared lines of the key's point gamma: the line coefficients of its Miller loop. */
  readonly gamma: MemoryOffset;
  /** Prepared lines of the key's point delta: the line coefficients of its Miller loop. */
  readonly delta: MemoryOffset;
  /** Result of the Miller loop of −alpha and beta. */
  readonly alphaBeta: MemoryOffset;
  /** Sum of the points C of the proofs in the current batch. */
  readonly sum: MemoryOffset;
}

/** A claim that a proof is valid for given public inputs. */
export interface Groth16Claim {
  readonly circuit: Circuit;
  /** Points A (G1), B (G2) and C (G1) of the proof, 192 bytes. */
  readonly proof: Uint8Array;
  /** Public inputs, as many as the circuit has. */
  readonly inputs: readonly bigint[];
}

export const PROOF_BYTES = 2 * G1_BYTES + G2_BYTES;
/** Maximum number of proofs per batch. */
export const CLAIMS_MAX = PAIRS_MAX;
/**
 * Memory size in pages of 64 KiB. Most of the memory stores prepared lines: those of three points of the twist for
 * each of the two circuits.
 */
const PAGES = 14;

/** Verifies Groth16 proofs over BLS12-381. The memory suffices for two circuits. */
export class Groth16 {
  private readonly field = new Bls12381Field(PAGES);
  private readonly points = new CompressedPoints(this.field);
  private readonly pairing = new Bls12381Pairing(this.field);
  private readonly multiples = new RandomMultiples(this.field);
  private readonly table = new BaseTable(this.field);
  private readonly lines = new Map<string, MemoryOffset>();
  private readonly product = this.field.allocate(BLS12_381_TOWER);
  /** Points A and C of each proof. A is in the real parts of x, y and z, and C in the imaginary parts. */
  private readonly pairs = this.field.allocate(CLAIMS_MAX * POINT);
  /** Point B (x, y) of each proof. */
  private readonly twists = this.field.allocate(CLAIMS_MAX * 2 * BLS12_381_NUMBER);
  /** Point A of each proof as real numbers x, y and z. */
  private readonly firsts = this.field.allocate(CLAIMS_MAX * POINT);

  /** Prepares a verifying key. @throws {RangeError} beta is not in its group, or no memory is left */
  circuit({ alpha, beta, gamma, delta, constant, inputs }: Groth16Key): Circuit {
    const { field, table } = this;
    const alphaBeta = field.allocate(BLS12_381_TOWER);
    this.storeTwist(beta);
    for (const [at, value] of [alpha.x, alpha.y, 1n].entries())
      field.store(this.firsts + at * BLS12_381_NUMBER, [value, 0n]);
    field.run.negate(this.firsts + BLS12_381_NUMBER, this.firsts + BLS12_381_NUMBER);
    const isInGroup = this.pairing.loop(alphaBeta, [{ point: this.firsts, twist: this.twists }], []);
    if (!isInGroup) throw new RangeError('invalid verifying key: beta is not in its group');
    return {
      inputCount: inputs.length,
      alpha: new FixedBases(field, table, [alpha]),
      inputs: new FixedBases(field, table, [constant, ...inputs]),
      beta: this.linesOf(beta),
      gamma: this.linesOf(gamma),
      delta: this.linesOf(delta),
      alphaBeta,
      sum: field.allocate(POINT),
    };
  }

  /**
   * Verifies all claims with one equation, which is the product of the equations of all claims. The equation of a
   * claim is e(A, B) = e(alpha, beta) × e(S, gamma) × e(C, delta). S is the constant point plus the sum of the input
   * points, each multiplied by its public input.
   *
   * Each equation except the first is raised to a random number of 128 bits, which is drawn after the proofs are
   * known. Invalid claims pass with a probability of 2^-128. Pairings that occur in several equations are computed
   * once.
   * @throws {RangeError} there are more than `CLAIMS_MAX` claims
   */
  areProven(claims: readonly Groth16Claim[]): boolean {
    const { field, product } = this;
    if (claims.length > CLAIMS_MAX)
      throw new RangeError(`too many proofs in a batch: ${claims.length}, maximum ${CLAIMS_MAX}`);
    if (claims.length === 0) return true;
    if (!claims.every((claim, at) => this.readProof(at, claim))) return false;
    const factors = claims.map((_, at) => (at === 0 ? 1n : this.multiplyProof(at)));
    const prepared = new Map<MemoryOffset, MemoryOffset>();
    const pairWith = (lines: MemoryOffset, point: MemoryOffset): void => {
      const other = prepared.get(lines);
      if (other === undefined) prepared.set(lines, point);
      else field.run.addPoints(other, point);
    };
    const constants: MemoryOffset[] = [];
    for (const circuit of new Set(claims.map((claim) => claim.circuit))) {
      const own = [...claims.keys()].filter((at) => claims[at]?.circuit === circuit);
      const scalars = this.scalarsOf(circuit, claims, factors);
      pairWith(circuit.gamma, circuit.inputs.sumOf(scalars));
      this.addSeconds(circuit.sum, own);
      pairWith(circuit.delta, circuit.sum);
      const [total] = scalars;
      if (total === 1n) constants.push(circuit.alphaBeta);
      else pairWith(circuit.beta, circuit.alpha.sumOf([total ?? 0n]));
    }
    for (const point of prepared.values()) field.run.negate(point + BLS12_381_NUMBER, point + BLS12_381_NUMBER);
    const isInGroup = this.pairing.loop(
      product,
      claims.map((_, at) => ({ point: this.first(at), twist: this.twist(at) })),
      [...prepared].map(([lines, point]) => ({ lines, point })),
    );
    if (!isInGroup) return false;
    for (const constant of constants) field.run.multiplyTower(product, product, constant);
    return this.pairing.isPowerOne(product);
  }

  /**
   * Reads the points A, B and C of a proof, and sets their z coordinates to 1. Checks that A and C are in their group.
   * The pairing checks the group of B later.
   * @returns false if a point is invalid, A or C is not in its group, or the proof or the list of inputs has a wrong
   * length
   */
  private readProof(at: number, { circuit, proof, inputs }: Groth16Claim): boolean {
    if (proof.length !== PROOF_BYTES || inputs.length !== circuit.inputCount) return false;
    const pair = this.pair(at);
    const points = {
      first: proof.subarray(0, G1_BYTES),
      twist: proof.subarray(G1_BYTES, G1_BYTES + G2_BYTES),
      second: proof.subarray(G1_BYTES + G2_BYTES),
    };
    if (!this.points.read(pair, this.twist(at), points)) return false;
    this.field.store(pair + 2 * BLS12_381_NUMBER, [1n, 1n]);
    this.field.copyReal(this.first(at), pair, 0);
    return true;
  }

  /** Multiplies the points A and C of a proof by a new random number. @returns the random number */
  private multiplyProof(at: number): bigint {
    const factor = new RandomFactor();
    this.multiples.multiply(this.pair(at), factor);
    this.field.copyReal(this.first(at), this.pair(at), 0);
    return factor.value;
  }

  /**
   * Returns the scalars for the points of the constant and the inputs of a circuit. Each scalar is a sum over all
   * claims of this circuit.
   */
  private scalarsOf(circuit: Circuit, claims: readonly Groth16Claim[], factors: readonly bigint[]): bigint[] {
    const scalars = new Array<bigint>(circuit.inputCount + 1).fill(0n);
    for (const [at, claim] of claims.entries()) {
      if (claim.circuit !== circuit) continue;
      for (const [position, input] of [1n, ...claim.inputs].entries())
        scalars[position] = ((scalars[position] ?? 0n) + input * (factors[at] ?? 0n)) % BLS12_381_ORDER;
    }
    return scalars;
  }

  /** Computes the sum of the points C of several claims. */
  private addSeconds(to: MemoryOffset, claims: readonly number[]): void {
    const { field } = this;
    for (const [index, at] of claims.entries()) {
      if (index === 0) field.copy(to, this.pair(at), POINT);
      else field.run.addPoints(to, this.pair(at));
    }
    field.copyReal(to, to, 1);
  }

  private pair(at: number): MemoryOffset {
    return this.pairs + at * POINT;
  }

  private twist(at: number): MemoryOffset {
    return this.twists + at * 2 * BLS12_381_NUMBER;
  }

  private first(at: number): MemoryOffset {
    return this.firsts + at * POINT;
  }

  /**
   * Returns the prepared lines of a point of the twist. Caches the lines, because circuits of the same trusted setup
   * share some points.
   */
  private linesOf(twist: TwistPoint): MemoryOffset {
    const name = [...twist.x, ...twist.y].join();
    const lines = this.lines.get(name) ?? this.pairing.prepare(this.storeTwist(twist));
    this.lines.set(name, lines);
    return lines;
  }

  private storeTwist({ x, y }: TwistPoint): MemoryOffset {
    this.field.store(this.twists, x);
    this.field.store(this.twists + BLS12_381_NUMBER, y);
    return this.twists;
  }
}
