import type { Complex } from '../pairing/complex-field.js';
import type { Address } from '../pairing/pairing-field.js';
import { CompressedPoints, G1_BYTES, G2_BYTES } from './compressed-points.js';
import { Bls12381Field, NUMBER, TOWER } from './field.js';
import { type AffinePoint, FixedBases } from './fixed-bases.js';
import { Bls12381Pairing } from './pairing.js';

type CurvePoint = AffinePoint<bigint>;
type TwistPoint = AffinePoint<Complex>;

/** What a circuit's proofs are checked with: points of the groups, none of them infinity, coordinates below the prime. */
interface Groth16Key {
  readonly alpha: CurvePoint;
  readonly beta: TwistPoint;
  readonly gamma: TwistPoint;
  readonly delta: TwistPoint;
  /** Point of the constant, then one for each public input. */
  readonly constant: CurvePoint;
  readonly inputs: readonly CurvePoint[];
}

/** Two points of G1 around one of G2. */
const PROOF_BYTES = 2 * G1_BYTES + G2_BYTES;
/** Lines of two points of the twist take most of it. */
const PAGES = 3;

/** Checks proofs of one circuit by Groth16 over BLS12-381, in a memory of its own. */
export class Groth16 {
  readonly inputCount: number;
  private readonly field = new Bls12381Field(PAGES);
  private readonly points = new CompressedPoints(this.field);
  private readonly pairing = new Bls12381Pairing(this.field);
  private readonly inputs: FixedBases;
  private readonly gamma: Address;
  private readonly delta: Address;
  /** The Miller loop of -alpha and beta. */
  private readonly alphaBeta = this.field.room(TOWER);
  private readonly product = this.field.room(TOWER);
  /** A and C of a proof in the parts, B, and -C. */
  private readonly a = this.field.room(2 * NUMBER);
  private readonly b = this.field.room(2 * NUMBER);
  private readonly minusC = this.field.room(2 * NUMBER);

  /** @throws {RangeError} beta is not of its group */
  constructor({ alpha, beta, gamma, delta, constant, inputs }: Groth16Key) {
    this.inputCount = inputs.length;
    this.inputs = new FixedBases(this.field, constant, inputs);
    this.placeTwist(gamma);
    this.gamma = this.pairing.prepare(this.b);
    this.placeTwist(delta);
    this.delta = this.pairing.prepare(this.b);
    this.placeTwist(beta);
    this.field.place(this.a, [alpha.x, 0n]);
    this.field.place(this.a + NUMBER, [alpha.y, 0n]);
    this.field.run.negate(this.a + NUMBER, this.a + NUMBER);
    if (!this.pairing.loop(this.alphaBeta, this.a, this.b, [])) throw new RangeError('beta is not of its group');
  }

  /** Whether a proof of 192 bytes shows what the public inputs say; infinities show nothing. @param inputs as many as the key has */
  isProven(proof: Uint8Array, inputs: readonly bigint[]): boolean {
    const { field, a, b, minusC, product } = this;
    if (proof.length !== PROOF_BYTES || inputs.length !== this.inputCount) return false;
    const points = {
      first: proof.subarray(0, G1_BYTES),
      twist: proof.subarray(G1_BYTES, G1_BYTES + G2_BYTES),
      second: proof.subarray(G1_BYTES + G2_BYTES),
    };
    if (!this.points.read(a, b, points)) return false;
    field.copyPart(minusC, 0, a, 1);
    field.copyPart(minusC + NUMBER, 0, a + NUMBER, 1, -1);
    // Infinity makes a pairing one: where x and z are 0, a line's value lies in a field that the last power takes to 1.
    const sum = this.inputs.sumOf(inputs);
    field.run.negate(sum + NUMBER, sum + NUMBER);
    const isInGroup = this.pairing.loop(product, a, b, [
      { point: sum, isProjective: true, lines: this.gamma },
      { point: minusC, isProjective: false, lines: this.delta },
    ]);
    if (!isInGroup) return false;
    field.run.multiplyTower(product, product, this.alphaBeta);
    return this.pairing.isPowerOne(product);
  }

  private placeTwist({ x, y }: TwistPoint): void {
    this.field.place(this.b, x);
    this.field.place(this.b + NUMBER, y);
  }
}
