import { bls12_381 } from '@noble/curves/bls12-381.js';
import t from 'tap';
import { Groth16 } from '../../../../../src/crypto/wasm/bls12-381/groth16.js';
import { fromHex } from '../../../../../src/primitives/bytes.js';
import { readVerifyingKey } from '../../../../../src/vm/precompiles/sapling/groth16.js';
import { OUTPUT_KEY } from '../../../../../src/vm/precompiles/sapling/output-key.js';
import { inputToInfinity, KnownCircuit } from '../../../../support/vm/precompiles/known-secrets.js';
import { PlainGroth16 } from '../../../../support/vm/precompiles/plain-groth16.js';

const R = bls12_381.fields.Fr.ORDER;
/** Prime of the field of coordinates in hex. A test adds the flag of a compressed point in the highest bit. */
const P_HEX = bls12_381.fields.Fp.ORDER.toString(16).padStart(96, '0');

t.test('accepts a proof only if it solves the equation of its key', async (t) => {
  // A circuit with known secrets, with which the test can forge proofs.
  const known = new KnownCircuit(2);
  const groth16 = new Groth16();
  const circuit = groth16.circuit(readVerifyingKey(known.key));
  const inputs = [23n, 0n];
  const proofOf = (input: bigint) => known.prove([input, 0n]);
  const proof = proofOf(23n);
  const plain = new PlainGroth16();
  const second = plain.circuit(readVerifyingKey(known.key));
  const same = (other: Uint8Array, others: readonly bigint[], expected: boolean, name: string) => {
    t.equal(groth16.areProven([{ circuit, proof: other, inputs: others }]), expected, name);
    const claims = [{ circuit: second, proof: other, inputs: others }];
    t.equal(plain.areProven(claims), expected, `${name}, by the other library`);
  };
  same(proof, inputs, true, 'the valid proof');
  const infinity = inputToInfinity();
  same(proofOf(infinity), [infinity, 0n], true, 'a valid proof of inputs whose point is infinity');
  same(proof, [infinity, 0n], false, 'a proof of other inputs');
  same(proof, [24n, 0n], false, 'another input');
  same(proof, [23n], false, 'too few inputs');
  same(proof, [23n + R, 0n], true, 'an input that is not reduced modulo the order');
  for (const at of [5, 60, 150])
    same(
      proof.map((byte, i) => (i === at ? byte ^ 1 : byte)),
      inputs,
      false,
      `byte ${at}`,
    );
  // Changes the flags of each point: compressed, infinity, sign.
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
  // About half of these x values belong to a point of the curve. Nearly none of these points is in the group.
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

t.test('has a complete key for the output circuit', async (t) => {
  t.equal(readVerifyingKey(OUTPUT_KEY).inputs.length, 5);
  t.throws(() => readVerifyingKey(OUTPUT_KEY.subarray(0, -100)), RangeError);
  const broken = Uint8Array.from(OUTPUT_KEY);
  broken[50]! ^= 1;
  t.throws(() => readVerifyingKey(broken), 'an invalid point');
});
