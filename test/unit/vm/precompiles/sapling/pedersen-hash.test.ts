import { readFileSync } from 'node:fs';
import { jubjub, jubjub_findGroupHash } from '@noble/curves/misc.js';
import t from 'tap';
import { fromHex, toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { littleEndianNumber } from '../../../../../src/vm/precompiles/sapling/coordinates.js';
import { merkleNode, noteHash } from '../../../../../src/vm/precompiles/sapling/pedersen-hash.js';
import { merkleHash } from '../../../../../src/vm/precompiles/shielded.js';
import { Random } from '../../../../fuzz/random.js';

const vectors = JSON.parse(readFileSync(new URL('./merkle-hash.vectors.json', import.meta.url), 'utf8')) as {
  cases: { name: string; input: string; output: string | null }[];
};

t.test('computes the note tree nodes of java-tron', async (t) => {
  for (const { name, input, output } of vectors.cases) {
    const result = merkleHash.run(fromHex(input), undefined as never);
    t.equal(result.isSuccess ? toHex(result.data) : null, output, name);
  }
});

const random = new Random(5, []);
const nodes = [0, 0xff, 0x80, 0x7f].map((byte) => new Uint8Array(32).fill(byte));

t.test('computes a node by the formula, regardless of the highest bit', async (t) => {
  const others = Array.from({ length: 6 }, () => random.bytes(32));
  for (const [level, left] of [...nodes, ...others].entries()) {
    for (const right of [...nodes.slice(0, 2), random.bytes(32)]) {
      const bits = [...bitsOf(Uint8Array.of(6 * level), 6), ...bitsOf(left, 255), ...bitsOf(right, 255)];
      t.equal(littleEndianNumber(merkleNode(6 * level, left, right)), hashByFormula(bits).x, toHex(left));
    }
  }
});

t.test('hashes a note by the formula', async (t) => {
  for (const content of [new Uint8Array(72), new Uint8Array(72).fill(255), random.bytes(72), random.bytes(72)]) {
    const expected = hashByFormula([...new Array<boolean>(6).fill(true), ...bitsOf(content, 576)]);
    t.same(noteHash(content).toAffine(), expected);
  }
  t.throws(() => noteHash(new Uint8Array(71)), RangeError);
});

function bitsOf(bytes: Uint8Array, count: number): boolean[] {
  return Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1);
}

/**
 * Computes the hash by the formula of the Zcash protocol, 5.4.1.7, with another library. Each segment of 63 windows of
 * three bits has its own generator.
 */
function hashByFormula(bits: readonly boolean[]): { x: bigint; y: bigint } {
  let sum = jubjub.Point.ZERO;
  for (let segment = 0; segment * 189 < bits.length; segment++) {
    let scalar = 0n;
    const part = bits.slice(segment * 189, (segment + 1) * 189);
    for (let at = 0; at < part.length; at += 3) {
      const magnitude = 1n + (part[at] === true ? 1n : 0n) + (part[at + 1] === true ? 2n : 0n);
      scalar += (part[at + 2] === true ? -magnitude : magnitude) << BigInt((at / 3) * 4);
    }
    const index = Buffer.alloc(4);
    index.writeUInt32LE(segment);
    const generator = jubjub_findGroupHash(index, utf8('Zcash_PH'));
    const { ORDER } = jubjub.Point.Fn;
    sum = sum.add(generator.multiplyUnsafe(((scalar % ORDER) + ORDER) % ORDER));
  }
  return sum.toAffine();
}
