import t from 'tap';
import type { Transaction } from '../../../../../src/codec/generated/messages.js';
import { SignatureJob } from '../../../../../src/node/threads/signatures/signature-job.js';
import { SignatureProver } from '../../../../../src/node/threads/signatures/signature-prover.js';
import { type Address, addressBytes } from '../../../../../src/primitives/address.js';
import { itemAt } from '../../../../../src/primitives/assert.js';
import { EMPTY_BYTES, toHex } from '../../../../../src/primitives/bytes.js';
import { recoverSigner } from '../../../../../src/state-transition/transactions/recover-signer.js';
import { addressNamed, blockBytes, idOf, signedTransfer } from '../../../../support/node/signed-block.js';
import { INFINITY_ADDRESS, infinitySignature } from '../../../../support/signatures/infinity-signature.js';

const PREFIX = 0x41;

/** Returns a transaction of an owner. By default, the owner signs. @param change change of each signature */
function signed(
  owner: string,
  text: string,
  signers = [owner],
  change?: (bytes: Uint8Array) => Uint8Array,
): Transaction {
  return signedTransfer({ owner: addressBytes(addressNamed(owner)), text, signers, change });
}

/** Returns 100 transactions of 50 owners. */
const block = (number: number): Transaction[] =>
  Array.from({ length: 100 }, (_, at) => signed(`owner ${at % 50}`, `block ${number}, transaction ${at}`));

function signerOrNone(id: Uint8Array, signature: Uint8Array): string | undefined {
  try {
    return toHex(recoverSigner(id, signature, PREFIX));
  } catch {
    return undefined;
  }
}

/** Returns the signers that the prover found, and those found by recovery, for comparison. */
function answers(
  prover: SignatureProver,
  blocks: readonly Transaction[][],
): { found: unknown[]; recovered: unknown[] } {
  const jobs = blocks.map((transactions) => SignatureJob.of(blockBytes(transactions)));
  for (const job of jobs) prover.take(new SignatureJob(job.shared));
  prover.finish();
  const found = jobs.flatMap((job) =>
    Array.from({ length: job.length }, (_, at) => {
      const signer = job.signer(at, PREFIX);
      return signer && toHex(signer);
    }),
  );
  const recovered = blocks.flatMap((transactions) =>
    transactions.flatMap((transaction) =>
      transaction.signature.map((signature) => signerOrNone(idOf(transaction), signature)),
    ),
  );
  return { found, recovered };
}

t.test('returns the same signers as recovery', async (t) => {
  const prover = new SignatureProver(PREFIX);
  for (const blocks of [[block(1)], [block(2), block(3)], [block(4)]]) {
    const { found, recovered } = answers(prover, blocks);
    t.same(found, recovered);
  }
  t.ok(prover.proven >= 300, `${prover.proven} of 400 are proven: 50 owners are new and sign twice in the first block`);
});

const mutations: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  'one changed bit of r': (bytes) => bytes.with(7, itemAt(bytes, 7) ^ 1),
  'one changed bit of s': (bytes) => bytes.with(40, itemAt(bytes, 40) ^ 1),
  'the opposite recovery id': (bytes) => bytes.with(64, itemAt(bytes, 64) === 27 ? 28 : 27),
  'a recovery id for x above the group order': (bytes) => bytes.with(64, 29),
  'an invalid header byte': (bytes) => bytes.with(64, 99),
  'the header byte of a compressed key': (bytes) => bytes.with(64, itemAt(bytes, 64) + 4),
  'a header byte without the offset 27': (bytes) => bytes.with(64, itemAt(bytes, 64) - 27),
  'r of 0': (bytes) => bytes.fill(0, 0, 32),
  's of 0': (bytes) => bytes.fill(0, 32, 64),
  'r of all ones': (bytes) => bytes.fill(255, 0, 32),
  's of all ones': (bytes) => bytes.fill(255, 32, 64),
};

for (const [name, change] of Object.entries(mutations)) {
  t.test(`proves one signature with ${name}, and one after it`, async (t) => {
    const prover = new SignatureProver(PREFIX);
    answers(prover, [block(0)]);
    const blocks = [
      [...block(1), signed('owner 7', `mutated by ${name}`, ['owner 7'], change)],
      [...block(2), signed('owner 7', `once more by ${name}`, ['owner 7'], change)],
    ];
    for (const each of blocks) {
      const { found, recovered } = answers(prover, [each]);
      t.same(found, recovered);
    }
  });
}

t.test(
  "finds the signers of transactions with no, one or several signatures of keys other than the owner's",
  async (t) => {
    const prover = new SignatureProver(PREFIX);
    for (let round = 0; round < 3; round++) {
      const { found, recovered } = answers(prover, [
        block(round),
        [
          signed('owner 1', `two signers, ${round}`, ['owner 1', 'owner 2']),
          signed('owner 3', `another signer, ${round}`, [`owner ${4 + round}`]),
          signed('owner 5', `without a signature, ${round}`, []),
          signedTransfer({ owner: EMPTY_BYTES, text: `without an owner, ${round}`, signers: ['owner 6'] }),
          signed('owner 8', `too short, ${round}`, ['owner 8'], (bytes) => bytes.subarray(0, 64)),
        ],
      ]);
      t.same(
        found,
        recovered.filter((_, at) => at !== recovered.length - 1),
      );
    }
  },
);

t.test('finds the remaining signers of a job that another thread has partly processed', async (t) => {
  const prover = new SignatureProver(PREFIX);
  const transactions = block(1);
  const job = SignatureJob.of(blockBytes(transactions));
  const own = new SignatureJob(job.shared);
  t.ok(own.claim(3));
  t.notOk(job.claim(3));
  prover.take(job);
  prover.finish();
  own.settle(3, undefined);
  t.equal(job.signer(3, PREFIX), undefined);
  t.ok(job.signer(4, PREFIX));
});

/** Returns a transaction whose signature recovers the point at infinity. */
function ofInfinity(owner: Address, text: string, k: bigint): Transaction {
  const transaction = signedTransfer({ owner: addressBytes(owner), text, signers: [] });
  transaction.signature = [infinitySignature(idOf(transaction), k)];
  return transaction;
}

t.test('recovers keys at infinity without a proof, and fails one proof at most', async (t) => {
  const prover = new SignatureProver(PREFIX);
  answers(prover, [block(0)]);
  for (let round = 1; round < 5; round++) {
    const before = prover.proven;
    const { found, recovered } = answers(prover, [
      [
        ...block(round),
        ofInfinity(INFINITY_ADDRESS as Address, `its own, ${round}`, BigInt(round)),
        ofInfinity(addressNamed('owner 9'), `of an owner with another key, ${round}`, BigInt(1000 + round)),
        signed('owner 10', `the next one, ${round}`),
      ],
    ]);
    t.same(found, recovered);
    t.equal(found.filter((signer) => signer === INFINITY_ADDRESS).length, 2);
    // In round 1, the prover expects the key of owner 9, but another key has signed, so the batch fails. In later
    // rounds, it expects no key for either of the two owners of such signatures.
    t.equal(prover.proven > before, round > 1, `proofs of round ${round}`);
  }
});
