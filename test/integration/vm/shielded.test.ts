import { readFileSync } from 'node:fs';
import { blake2b } from '@noble/hashes/blake2.js';
import t from 'tap';
import { concatBytes, fromHex, toHex } from '../../../src/domain/bytes.js';
import { littleEndian } from '../../../src/vm/precompiles/sapling/coordinates.js';
import { RANDOMNESS_BASE, SPENDING_BASE, times } from '../../../src/vm/precompiles/sapling/jubjub.js';
import { OUTPUT_KEY } from '../../../src/vm/precompiles/sapling/output-key.js';
import { merkleNode } from '../../../src/vm/precompiles/sapling/pedersen-hash.js';
import { verifyMintProof, verifyTransferProof } from '../../../src/vm/precompiles/shielded.js';
import { floodPrecompile } from '../../support/vm/precompile-flood.js';
import { readProvingKey } from '../../support/vm/precompiles/groth16-prover.js';
import type { OutputWitness } from '../../support/vm/precompiles/output-circuit.js';
import { signJubjub } from '../../support/vm/precompiles/red-jubjub.js';
import {
  commitValue,
  makeOutput,
  mintInput,
  type ShieldedOutput,
  word,
} from '../../support/vm/precompiles/shielded-output.js';

// The parameters of the network's own ceremony: proofs made with others are not valid there.
const parameters = readFileSync(new URL('../../golden/sapling/sapling-output.params', import.meta.url));
const DEPTH = 32;
const witness: OutputWitness = {
  value: 123_456_789n,
  valueRandomness: 0x0d15ea5e0d15ea5e0d15ea5e0d15ea5e0d15ea5e0d15ea5e0d15ea5e0d15ea5en,
  diversifiedBase: times(SPENDING_BASE, 271828n),
  paymentKey: times(SPENDING_BASE, 271828n * 314159n),
  commitmentRandomness: 0x0badcafe0badcafe0badcafe0badcafe0badcafe0badcafe0badcafe0badcafen,
  ephemeralSecret: 0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdefn,
};
const emptyFrontier = (): Uint8Array[] => Array.from({ length: DEPTH + 1 }, () => new Uint8Array(32));

function run(precompile: typeof verifyMintProof, data: Uint8Array): Uint8Array {
  const { isSuccess, data: output } = precompile.run(data, undefined as never);
  if (!isSuccess) throw new Error('failed');
  return output;
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const result = Uint8Array.from(bytes);
  result[at]! ^= 1;
  return result;
}

t.test('the key in the source is that of the parameters', async (t) => {
  t.ok(toHex(blake2b(parameters, { dkLen: 64 })).startsWith('a1cb23b93256adce'), "the ceremony's file");
  t.same(OUTPUT_KEY, parameters.subarray(0, OUTPUT_KEY.length));
});

t.test('proofs that are true are accepted, altered ones are not', async (t) => {
  const key = readProvingKey(parameters);
  const output = makeOutput(witness, key);
  const mint = { output, ...witness, frontier: emptyFrontier(), leafCount: 0n };
  const data = mintInput(mint);

  t.test('the first note of a tree', async (t) => {
    const answer = run(verifyMintProof, data);
    t.same(answer.subarray(0, 64), concatBytes(word(1n), word(0n)), 'yes, at slot 0');
    t.same(answer.subarray(64), rootOf([output.commitment]));
    t.equal(answer.length, 96);
  });

  t.test('a note behind three others', async (t) => {
    const [first, second, third] = [11n, 22n, 33n].map(littleEndian) as [Uint8Array, Uint8Array, Uint8Array];
    const frontier = emptyFrontier();
    // A leaf that has no right neighbour yet waits in slot 0; the node of the first two waits in slot 1.
    frontier[0] = third;
    frontier[1] = merkleNode(0, first, second);
    const answer = run(verifyMintProof, mintInput({ ...mint, frontier, leafCount: 3n }));
    const right = merkleNode(0, third, output.commitment);
    const whole = merkleNode(1, frontier[1], right);
    t.same(answer, concatBytes(word(1n), word(2n), right, whole, rootOf([first, second, third, output.commitment])));
  });

  t.test('without end it is ended by its energy, or by a deadline', async (t) => {
    const bomb = { address: 0x1000001, input: data };
    t.equal(floodPrecompile({ ...bomb, energy: 2_000_000 }).code, 'OUT_OF_ENERGY');
    const { code, elapsedMs } = floodPrecompile({ ...bomb, energy: 1_000_000_000, grantedMs: 80 });
    t.equal(code, 'OUT_OF_TIME');
    t.ok(elapsedMs < 10_000, `${elapsedMs.toFixed(0)} ms with 80 granted`);
  });

  t.test('each part counts', async (t) => {
    const parts = {
      commitment: 0,
      value: 33,
      ephemeralKey: 70,
      a: 100,
      b: 200,
      c: 270,
      r: 290,
      s: 325,
      amount: 383,
      hash: 400,
    };
    for (const [name, at] of Object.entries(parts)) t.same(run(verifyMintProof, flipped(data, at)), word(0n), name);
    t.same(run(verifyMintProof, data.subarray(1)), word(0n), 'a byte less');
    t.same(run(verifyMintProof, mintInput({ ...mint, value: witness.value + 1n })), word(0n), 'paid in more');
    t.same(run(verifyMintProof, mintInput({ ...mint, valueRandomness: 1n })), word(0n), 'signed by another');
    t.same(run(verifyMintProof, mintInput({ ...mint, leafCount: 1n << 32n })), word(0n), 'a full tree');
  });

  t.test('parts of two true notes do not go together', async (t) => {
    const other = makeOutput({ ...witness, commitmentRandomness: 42n, ephemeralSecret: 43n }, key);
    t.same(run(verifyMintProof, mintInput({ ...mint, output: other })).subarray(0, 32), word(1n), 'the other is true');
    for (const part of ['commitment', 'ephemeralKey', 'proof'] as const) {
      const mixed = { ...output, [part]: other[part] };
      t.same(run(verifyMintProof, mintInput({ ...mint, output: mixed })), word(0n), part);
    }
  });

  t.test(
    'a transfer with a true output fails for want of the key of spends, with a false one it is refused',
    async (t) => {
      t.throws(() => run(verifyTransferProof, transferInput(output)), { code: 'UNDECIDABLE' });
      for (const at of [100, 150, 250]) {
        const altered = { ...output, proof: flipped(output.proof, at - 96) };
        t.same(run(verifyTransferProof, transferInput(altered)), word(0n), `byte ${at}`);
      }
      t.same(run(verifyTransferProof, transferInput(output, 8n)), word(0n), 'signed by another key');
    },
  );
});

/** Input of VerifyTransferProof: one spend of as much as the output holds and 5 that leave, whose proof nobody can make. */
function transferInput(output: ShieldedOutput, signer = 7n): Uint8Array {
  const spendRandomness = 1_000_003n;
  const hash = fromHex('77'.repeat(32));
  const secret = spendRandomness - witness.valueRandomness;
  const balanceKey = times(RANDOMNESS_BASE, secret).toBytes();
  const spendKey = times(SPENDING_BASE, 7n).toBytes();
  const head = concatBytes(
    ...[1312n, 1664n, 1760n].map(word),
    signJubjub(RANDOMNESS_BASE, secret, concatBytes(balanceKey, hash), 4712n),
    hash,
    word(5n),
    ...emptyFrontier(),
    word(0n),
  );
  const spend = concatBytes(
    littleEndian(1n),
    littleEndian(2n),
    commitValue(witness.value + 5n, spendRandomness),
    spendKey,
  );
  return concatBytes(
    head,
    ...[word(1n), spend, new Uint8Array(192)],
    ...[word(1n), signJubjub(SPENDING_BASE, signer, concatBytes(spendKey, hash), 4713n)],
    ...[word(1n), output.commitment, output.value, output.ephemeralKey, output.proof],
  );
}

/** Root of a tree whose other leaves do not exist yet. */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  let nodes = [...leaves];
  let empty: Uint8Array = littleEndian(1n);
  for (let level = 0; level < DEPTH; level++) {
    const pairs = Array.from({ length: Math.ceil(nodes.length / 2) }, (_, i) => [
      nodes[2 * i]!,
      nodes[2 * i + 1] ?? empty,
    ]);
    nodes = pairs.map(([left, right]) => merkleNode(level, left!, right!));
    empty = merkleNode(level, empty, empty);
  }
  return nodes[0]!;
}
