import { bls12_381 } from '@noble/curves/bls12-381.js';
import { concatBytes } from '../../../../src/primitives/bytes.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const { Fr } = bls12_381.fields;

/** Secret factors of the setup. Each point of the keys is a base point multiplied by such a factor. */
interface Secrets {
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly delta: bigint;
}

const SECRETS: Secrets = { alpha: 3n, beta: 5n, gamma: 7n, delta: 11n };

/** A circuit whose setup secrets are known. With them, a proof of any statement can be forged. */
export class KnownCircuit {
  /** The verifying key in the format of the `bellman` crate. */
  readonly key: Uint8Array;
  private readonly secrets: Secrets;

  /** @param secrets values that replace the defaults */
  constructor(inputCount: number, secrets: Partial<Secrets> = {}) {
    this.secrets = { ...SECRETS, ...secrets };
    const { alpha, beta, gamma, delta } = this.secrets;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(inputCount + 1);
    this.key = concatBytes(
      G1.BASE.multiply(alpha).toBytes(false),
      G1.BASE.multiply(beta).toBytes(false),
      G2.BASE.multiply(beta).toBytes(false),
      G2.BASE.multiply(gamma).toBytes(false),
      G1.BASE.multiply(delta).toBytes(false),
      G2.BASE.multiply(delta).toBytes(false),
      count,
      ...Array.from({ length: inputCount + 1 }, (_, at) => G1.BASE.multiply(inputSecret(at)).toBytes(false)),
    );
  }

  /**
   * Solves the verification equation to forge a proof.
   * @param error added to the solution; makes the proof invalid if it is not 0
   */
  prove(inputs: readonly bigint[], { a = 29n, b = 31n, error = 0n } = {}): Uint8Array {
    const { alpha, beta, gamma, delta } = this.secrets;
    const sum = inputs.reduce((total, input, at) => total + inputSecret(at + 1) * input, inputSecret(0));
    const c = Fr.div(Fr.create(a * b - alpha * beta - sum * gamma + error), delta);
    return concatBytes(G1.BASE.multiply(a).toBytes(), G2.BASE.multiply(b).toBytes(), G1.BASE.multiply(c).toBytes());
  }
}

function inputSecret(at: number): bigint {
  return 13n + 4n * BigInt(at);
}

/**
 * Returns a value of the first public input for which the input's term is the negative of the constant's point. If
 * all other inputs are 0, the sum of all terms is infinity.
 */
export function inputToInfinity(): bigint {
  return Fr.div(Fr.neg(inputSecret(0)), inputSecret(1));
}
