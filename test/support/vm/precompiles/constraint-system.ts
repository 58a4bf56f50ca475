import { bls12_381 } from '@noble/curves/bls12-381.js';

export const { Fr } = bls12_381.fields;

/**
 * Index of a variable. Public inputs have the indexes ~0, ~1, …, and the input ~0 is the constant 1. Variables of the
 * witness have the indexes 0, 1, ….
 */
export type Variable = number;
/**
 * A sum of variables with coefficients. Several terms of one variable are not combined, because proving keys count
 * them separately.
 */
export type Combination = readonly (readonly [variable: Variable, coefficient: bigint])[];

export const ONE: Variable = ~0;

/**
 * Collects the witness of a circuit: for each constraint, the values of both factors and of the product. Also
 * collects the variables that occur in a factor. Reference: bellman, ProvingAssignment.
 */
export class ConstraintSystem {
  readonly inputs: bigint[] = [1n];
  readonly witness: bigint[] = [];
  readonly left: bigint[] = [];
  readonly right: bigint[] = [];
  readonly product: bigint[] = [];
  /** Variables that occur in a left factor. A proving key has points only for such variables. */
  readonly inLeft = new Set<Variable>();
  readonly inRight = new Set<Variable>();

  allocate(value: bigint): Variable {
    return this.witness.push(value) - 1;
  }

  allocateInput(value: bigint): Variable {
    return ~(this.inputs.push(value) - 1);
  }

  /** Adds the constraint left × right = product. @throws {Error} the witness does not satisfy the constraint */
  enforce(left: Combination, right: Combination, product: Combination): void {
    const values = [this.#sum(left, this.inLeft), this.#sum(right, this.inRight), this.#sum(product)] as const;
    if (Fr.mul(values[0], values[1]) !== values[2]) throw new Error(`constraint ${this.left.length} does not hold`);
    this.left.push(values[0]);
    this.right.push(values[1]);
    this.product.push(values[2]);
  }

  valueOf(variable: Variable): bigint {
    return variable < 0 ? this.inputs[~variable]! : this.witness[variable]!;
  }

  #sum(terms: Combination, seen?: Set<Variable>): bigint {
    let sum = 0n;
    for (const [variable, coefficient] of terms) {
      if (Fr.create(coefficient) === 0n) continue;
      seen?.add(variable);
      sum += this.valueOf(variable) * coefficient;
    }
    return Fr.create(sum);
  }
}
