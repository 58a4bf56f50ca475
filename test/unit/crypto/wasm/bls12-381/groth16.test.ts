import t from 'tap';
import { CLAIMS_MAX, Groth16, type Groth16Claim } from '../../../../../src/crypto/wasm/bls12-381/groth16.js';
import { readVerifyingKey } from '../../../../../src/vm/precompiles/sapling/groth16.js';
import { KnownCircuit } from '../../../../support/vm/precompiles/known-secrets.js';

/** Two circuits that share the setup except for one secret. Their proofs can be verified together. */
const related = [new KnownCircuit(3), new KnownCircuit(2, { delta: 17n })] as const;
const unrelated = [related[0], new KnownCircuit(2, { alpha: 19n, beta: 23n, gamma: 37n, delta: 41n })] as const;

/** A batch of claims. Each number is the index of the circuit of a claim. */
type Order = readonly (0 | 1)[];
const ORDERS: readonly Order[] = [
  [0],
  [1],
  [0, 0],
  [0, 1],
  [1, 0],
  [0, 0, 1],
  [0, 1, 1],
  [0, 0, 0],
  [0, 0, 1, 1],
  [1, 0, 1, 0],
];

for (const [name, pair] of Object.entries({ related, unrelated })) {
  const groth16 = new Groth16();
  const circuits = pair.map(({ key }) => groth16.circuit(readVerifyingKey(key)));
  const claim = (which: 0 | 1, at: number, error = 0n): Groth16Claim => {
    const circuit = circuits[which];
    if (circuit === undefined) throw new RangeError(`there is no circuit ${which}`);
    const inputs = Array.from({ length: circuit.inputCount }, (_, i) => BigInt(7 + at + i) ** 60n);
    return { circuit, proof: pair[which].prove(inputs, { a: 29n + BigInt(at), b: 31n, error }), inputs };
  };
  const claims = (order: Order, errors: readonly bigint[] = []): Groth16Claim[] =>
    order.map((which, at) => claim(which, at, errors[at] ?? 0n));

  t.test(`accepts a batch of claims of circuits that are ${name} only if each claim is valid`, async (t) => {
    for (const order of ORDERS) {
      t.equal(groth16.areProven(claims(order)), true, order.join());
      for (const wrong of order.keys()) {
        const errors = order.map((_, at) => (at === wrong ? 1n : 0n));
        t.equal(groth16.areProven(claims(order, errors)), false, `${order.join()}, number ${wrong} does not`);
      }
    }
  });

  t.test(`detects errors that cancel each other in claims of circuits that are ${name}`, async (t) => {
    for (const order of ORDERS.filter(({ length }) => length > 1)) {
      for (let last = 1; last < order.length; last++) {
        for (const factor of [1n, 2n, -1n]) {
          const errors = order.map((_, at) => (at === 0 ? 5n : at === last ? -5n * factor : 0n));
          t.equal(groth16.areProven(claims(order, errors)), false, `${order.join()}: ${errors.join()}`);
        }
      }
    }
  });

  t.test(`accepts a repeated claim of circuits that are ${name}, and an empty batch`, async (t) => {
    t.equal(groth16.areProven([claim(0, 1), claim(0, 1)]), true);
    t.equal(groth16.areProven([claim(0, 1), claim(1, 1), claim(0, 1)]), true);
    t.equal(groth16.areProven([]), true);
    const { proof, ...rest } = claim(0, 1);
    t.equal(groth16.areProven([claim(1, 0), { ...rest, proof: proof.subarray(1) }]), false, 'a truncated proof');
    t.throws(() => groth16.areProven(new Array(CLAIMS_MAX + 1).fill(claim(0, 1))), RangeError);
  });
}
