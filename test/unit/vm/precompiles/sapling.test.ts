import { readFileSync } from 'node:fs';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import t from 'tap';
import { concatBytes, fromHex, toHex, utf8 } from '../../../../src/domain/bytes.js';
import { readVerifyingKey, verifyProof } from '../../../../src/vm/precompiles/sapling/groth16.js';
import { RANDOMNESS_BASE, times, VALUE_BASE, verifySignature } from '../../../../src/vm/precompiles/sapling/jubjub.js';
import { insertLeaves } from '../../../../src/vm/precompiles/sapling/note-tree.js';
import { OUTPUT_KEY } from '../../../../src/vm/precompiles/sapling/output-key.js';
import { littleEndian, merkleNode } from '../../../../src/vm/precompiles/sapling/pedersen-hash.js';
import { isBalanced, isSpendProven } from '../../../../src/vm/precompiles/sapling/proofs.js';
import { merkleHash } from '../../../../src/vm/precompiles/shielded.js';
import * as noble from '../../../support/vm/precompiles/noble-groth16.js';
import { signJubjub } from '../../../support/vm/precompiles/red-jubjub.js';

const vectors = JSON.parse(readFileSync(new URL('./merkle-hash.vectors.json', import.meta.url), 'utf8')) as {
  cases: { name: string; input: string; output: string | null }[];
};
const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const R = bls12_381.fields.Fr.ORDER;

t.test('nodes of the note tree are those of the reference', async (t) => {
  for (const { name, input, output } of vectors.cases) {
    const result = merkleHash.run(fromHex(input), undefined as never);
    t.equal(result.isSuccess ? toHex(result.data) : null, output, name);
  }
});

t.test('leaves added one by one or together make the same tree', async (t) => {
  const leaves = [1, 2, 3, 4].map((n) => littleEndian(BigInt(n * 1000)));
  const frontier = () => Array.from({ length: 33 }, () => new Uint8Array(32));
  const single = frontier();
  let root: Uint8Array | undefined;
  for (const [i, leaf] of leaves.entries()) root = insertLeaves(single, BigInt(i), [leaf]).at(-1);
  const together = frontier();
  insertLeaves(together, 0n, leaves.slice(0, 2));
  t.same(insertLeaves(together, 2n, leaves.slice(2)).at(-1), root);
  let node = merkleNode(1, merkleNode(0, leaves[0]!, leaves[1]!), merkleNode(0, leaves[2]!, leaves[3]!));
  let empty: Uint8Array = littleEndian(1n);
  for (let level = 0; level < 32; level++) {
    if (level >= 2) node = merkleNode(level, node, empty);
    empty = merkleNode(level, empty, empty);
  }
  t.same(node, root);
});

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
  const sum = ic[0]! + ic[1]! * inputs[0]!;
  const inverse = bls12_381.fields.Fr.inv(delta);
  const c = ((((a * b - alpha * beta - sum * gamma) * inverse) % R) + R) % R;
  const proof = concatBytes(
    G1.BASE.multiply(a).toBytes(),
    G2.BASE.multiply(b).toBytes(),
    G1.BASE.multiply(c).toBytes(),
  );
  const second = noble.readVerifyingKey(bytes);
  const same = (other: Uint8Array, others: readonly bigint[], expected: boolean, name: string) => {
    t.equal(verifyProof(key, other, others), expected, name);
    t.equal(noble.verifyProof(second, other, others), expected, `${name}, by the other library`);
  };
  same(proof, inputs, true, 'the proof');
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

/** Prime of the field that coordinates are of, with the flag of a compressed point in its highest bits. */
const P_HEX = bls12_381.fields.Fp.ORDER.toString(16).padStart(96, '0');

function replaced(bytes: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  const result = Uint8Array.from(bytes);
  result.set(part, at);
  return result;
}

t.test('the key of the output circuit is whole', async (t) => {
  t.equal(readVerifyingKey(OUTPUT_KEY).inputCount, 6);
  t.throws(() => readVerifyingKey(OUTPUT_KEY.subarray(0, -100)), RangeError);
  const broken = Uint8Array.from(OUTPUT_KEY);
  broken[50]! ^= 1;
  t.throws(() => readVerifyingKey(broken), 'a point that is none');
});

t.test('a signature is by its key over its message', async (t) => {
  const key = times(RANDOMNESS_BASE, 12345n);
  const signature = signJubjub(RANDOMNESS_BASE, 12345n, utf8('hello'), 999n);
  t.equal(verifySignature(RANDOMNESS_BASE, key, utf8('hello'), signature), true);
  t.equal(verifySignature(RANDOMNESS_BASE, key, utf8('hallo'), signature), false);
  t.equal(verifySignature(RANDOMNESS_BASE, times(key, 2n), utf8('hello'), signature), false);
  t.equal(verifySignature(VALUE_BASE, key, utf8('hello'), signature), false);
});

t.test('values must add up', async (t) => {
  const commit = (value: bigint, randomness: bigint) =>
    times(VALUE_BASE, value).add(times(RANDOMNESS_BASE, randomness)).toBytes();
  const hash = fromHex('ab'.repeat(32));
  // 100 in, 60 out as a note, 40 leave.
  const spends = [commit(100n, 7n)];
  const outputs = [commit(60n, 3n)];
  const key = times(RANDOMNESS_BASE, 4n);
  const signature = signJubjub(RANDOMNESS_BASE, 4n, concatBytes(key.toBytes(), hash), 55n);
  t.equal(isBalanced({ spends, outputs, balance: 40n }, hash, signature), true);
  t.equal(isBalanced({ spends, outputs, balance: 41n }, hash, signature), false);
});

t.test('a spend is not decided without the key of its circuit', async (t) => {
  const none = new Uint8Array(32);
  const spend = { nullifier: none, anchor: none, value: none, key: none, proof: none, signature: none };
  t.throws(() => isSpendProven(spend), { code: 'UNDECIDABLE' });
});
