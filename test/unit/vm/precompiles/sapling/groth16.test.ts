import { bls12_381 } from '@noble/curves/bls12-381.js';
import t from 'tap';
import { concatBytes, fromHex } from '../../../../../src/domain/bytes.js';
import { readVerifyingKey } from '../../../../../src/vm/precompiles/sapling/groth16.js';
import { OUTPUT_KEY } from '../../../../../src/vm/precompiles/sapling/output-key.js';
import * as noble from '../../../../support/vm/precompiles/noble-groth16.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const R = bls12_381.fields.Fr.ORDER;
/** Prime of the field that coordinates are of, with the flag of a compressed point in its highest bits. */
const P_HEX = bls12_381.fields.Fp.ORDER.toString(16).padStart(96, '0');

t.test('a proof is what solves the equation of its key, and nothing else', async (t) => {
  // A key whose secrets are known, so that a proof can be made without a circuit.
  const [alpha, beta, gamma, delta] = [3n, 5n, 7n, 11n];
  const ic = [13n, 17n, 19n];
  const bytes = concatBytes(
    G1.BASE.multiply(alpha).toBytes(false),
    G1.BASE.multiply(beta).toBytes(false),
    G2.BASE.multiply(beta).toBytes(false),
    G2.BASE.multiply(gamma).toBytes(false),
    G1.BASE.multiply(delta).toBytes(false),
    G2.BASE.multiply(delta).toBytes(false),
    fromHex('00000003'),
    ...ic.map((secret) => G1.BASE.multiply(secret).toBytes(false)),
  );
  const key = readVerifyingKey(bytes);
  const inputs = [23n, 0n];
  const [a, b] = [29n, 31n];
  const modulo = (value: bigint) => ((value % R) + R) % R;
  const proofOf = (input: bigint) => {
    const sum = ic[0]! + ic[1]! * input;
    const c = modulo((a * b - alpha * beta - sum * gamma) * bls12_381.fields.Fr.inv(delta));
    return concatBytes(G1.BASE.multiply(a).toBytes(), G2.BASE.multiply(b).toBytes(), G1.BASE.multiply(c).toBytes());
  };
  const proof = proofOf(23n);
  const second = noble.readVerifyingKey(bytes);
  const same = (other: Uint8Array, others: readonly bigint[], expected: boolean, name: string) => {
    t.equal(key.isProven(other, others), expected, name);
    t.equal(noble.verifyProof(second, other, others), expected, `${name}, by the other library`);
  };
  same(proof, inputs, true, 'the proof');
  const toInfinity = modulo(-ic[0]! * bls12_381.fields.Fr.inv(ic[1]!));
  same(proofOf(toInfinity), [toInfinity, 0n], true, 'of inputs whose point is infinity');
  same(proof, [toInfinity, 0n], false, 'of others than those');
  same(proof, [24n, 0n], false, 'of another input');
  same(proof, [23n], false, 'of too few');
  same(proof, [23n + R, 0n], true, 'of an input that is not reduced');
  for (const at of [5, 60, 150])
    same(
      proof.map((byte, i) => (i === at ? byte ^ 1 : byte)),
      inputs,
      false,
      `byte ${at}`,
    );
  // The flags of each point: compressed, infinity, sign.
  for (const at of [0, 48, 144]) {
    for (let flags = 1; flags < 8; flags++) {
      same(
        proof.map((byte, i) => (i === at ? byte ^ (flags << 5) : byte)),
        inputs,
        false,
        `flags ${flags} at ${at}`,
      );
    }
    same(replaced(proof, at, fromHex(`c0${'00'.repeat(47)}`)), inputs, false, `infinity at ${at}`);
    same(replaced(proof, at, fromHex(`9a${P_HEX.slice(2)}`)), inputs, false, `a coordinate that is the prime at ${at}`);
  }
  // Half of these are on the curve, and hardly one is in the group.
  for (let x = 1; x < 40; x++) {
    const hex = x.toString(16).padStart(94, '0');
    same(replaced(proof, 0, fromHex(`80${hex}`)), inputs, false, `x = ${x}`);
    same(replaced(proof, 48, fromHex(`80${'00'.repeat(47)}00${hex}`)), inputs, false, `x = ${x} on the twist`);
  }
});

function replaced(bytes: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  const result = Uint8Array.from(bytes);
  result.set(part, at);
  return result;
}

t.test('the key of the output circuit is whole', async (t) => {
  t.equal(readVerifyingKey(OUTPUT_KEY).inputCount, 5);
  t.throws(() => readVerifyingKey(OUTPUT_KEY.subarray(0, -100)), RangeError);
  const broken = Uint8Array.from(OUTPUT_KEY);
  broken[50]! ^= 1;
  t.throws(() => readVerifyingKey(broken), 'a point that is none');
});
