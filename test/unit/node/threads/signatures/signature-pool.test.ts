import t from 'tap';
import { ProtobufError } from '../../../../../src/codec/reader.js';
import { SignaturePool } from '../../../../../src/node/threads/signatures/signature-pool.js';
import {
  ownerPosition,
  POSITION_NUMBERS,
  signedPositions,
} from '../../../../../src/node/threads/signatures/signed-positions.js';
import { addressBytes } from '../../../../../src/primitives/address.js';
import { itemAt } from '../../../../../src/primitives/assert.js';
import { toHex } from '../../../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../../../../../src/state-transition/block/decoded-block.js';
import { recoverSigner } from '../../../../../src/state-transition/transactions/recover-signer.js';
import type { FindSigner } from '../../../../../src/state-transition/transactions/validate-signature.js';
import { Random } from '../../../../fuzz/random.js';
import { blocksOf } from '../../../../support/node/recorded-blocks.js';
import { addressNamed, blockBytes, signedTransfer } from '../../../../support/node/signed-block.js';

const PREFIX = 0x41;
const SEED = 20_261_124;
/** Number of changed bytes per block. Each is changed in a separate copy of the block. */
const MUTATIONS = 60;
const FOLDER = new URL('../../../../golden/stake', import.meta.url).pathname;

const pool = new SignaturePool({ threads: 0, addressPrefix: PREFIX });

/** Returns the signer of each transaction of a block, or the error if the signature is invalid. */
function signers({ transactions }: DecodedBlock, find: FindSigner): string[] {
  return transactions.flatMap(({ id, message }) =>
    message.signature.map((signature) => {
      try {
        return toHex(find(id, signature));
      } catch (error) {
        return String(error);
      }
    }),
  );
}

const recovered: FindSigner = (hash, signature) => recoverSigner(hash, signature, PREFIX);

t.test('returns the recovered signers of a recorded block', async (t) => {
  for (const block of blocksOf(FOLDER).filter(({ transactionCount }) => transactionCount > 0)) {
    t.same(signers(block, pool.prepare(block.bytes)), signers(block, recovered), `block ${block.number}`);
    t.equal(signedPositions(block.bytes).length, block.transactions.length * POSITION_NUMBERS);
  }
});

t.test(`returns the recovered signers of a block with one changed byte (seed ${SEED})`, async (t) => {
  const random = new Random(SEED, []);
  const largest = blocksOf(FOLDER).sort((a, b) => b.bytes.length - a.bytes.length);
  let read = 0;
  for (const { bytes } of largest.slice(0, 5)) {
    for (let count = 0; count < MUTATIONS; count++) {
      const changed = Uint8Array.from(bytes);
      changed[random.below(changed.length)] = random.below(256);
      try {
        const block = decodeBlock(changed);
        t.same(signers(block, pool.prepare(changed)), signers(block, recovered));
        read++;
      } catch (error) {
        if (!(error instanceof ProtobufError)) throw error;
        t.doesNotThrow(() => pool.prepare(changed));
      }
    }
  }
  t.ok(read > 100, `${read} blocks could be decoded`);
});

t.test('returns the right signer for requests in another order, repeated, or for another hash', async (t) => {
  const owners = ['a', 'b', 'c'];
  const transactions = owners.map((owner) =>
    signedTransfer({ owner: addressBytes(addressNamed(owner)), text: owner, signers: [owner, 'z'] }),
  );
  const block = decodeBlock(blockBytes(transactions));
  const find = pool.prepare(block.bytes);
  const claims = block.transactions.flatMap(({ id, message }) => message.signature.map((by) => [id, by] as const));
  for (const [id, signature] of [...claims].reverse().concat(claims, claims))
    t.same(find(id, signature), recoverSigner(id, signature, PREFIX));
  const [, [, other]] = [itemAt(claims, 0), itemAt(claims, 2)];
  const { id } = itemAt(block.transactions, 0);
  t.same(find(id, other), recoverSigner(id, other, PREFIX), 'a signature of another transaction');
});

t.test('finds the owner in the encoded transaction', async (t) => {
  const owner = addressBytes(addressNamed('a'));
  const bytes = blockBytes([signedTransfer({ owner, text: 'a', signers: ['a'] })]);
  const [from, to] = signedPositions(bytes);
  const ownerAt = ownerPosition(bytes, from ?? 0, to ?? 0) ?? 0;
  t.same(bytes.subarray(ownerAt, ownerAt + owner.length), owner);
  t.equal(ownerPosition(bytes, 0, 2), undefined, 'no owner within the range of bytes');
});
