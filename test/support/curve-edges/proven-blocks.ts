import type { Transaction } from '../../../src/codec/generated/messages.js';
import { SignatureJob } from '../../../src/node/threads/signatures/signature-job.js';
import { SignatureProver } from '../../../src/node/threads/signatures/signature-prover.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { concatBytes, toHex } from '../../../src/primitives/bytes.js';
import type { Random } from '../../fuzz/random.js';
import { addressNamed, blockBytes, idOf, signedTransfer } from '../node/signed-block.js';
import { oddSignature } from './odd-signatures.js';

const PREFIX = 0x41;
/** Number of valid signatures in a block. It is large enough for batch verification to start. */
const SOUND = 90;
const OWNERS = 45;
const ODD_MAX = 4;

/**
 * Creates blocks and verifies their signatures in batches with one prover. Most signatures are valid. After the first
 * blocks, the prover has seen the keys of all owners.
 */
export class ProvenBlocks {
  private readonly prover = new SignatureProver(PREFIX);
  private blocks = 0;
  /**
   * Suffix of the owners' names. If a signature of an owner is made with another key, the prover no longer expects a
   * key for this owner. New names therefore replace the owners regularly.
   */
  private generation = 0;

  get proven(): number {
    return this.prover.proven;
  }

  /**
   * Creates the next block. Returns, for each signature, a question to java-tron for its signer, and the signer that
   * the prover found.
   */
  next(random: Random): readonly { question: string; answer: string }[] {
    if (this.blocks++ % OWNERS === 0) this.generation++;
    const transactions = Array.from({ length: SOUND }, (_, at) => this.sound(at));
    // Every second block has only valid signatures, so its batch verification succeeds.
    const odd = this.blocks % 2 === 0 ? 0 : random.below(ODD_MAX + 1);
    for (let at = 0; at < odd; at++) transactions.splice(random.below(SOUND), 0, this.odd(at, random));
    const job = SignatureJob.of(blockBytes(transactions));
    this.prover.take(job);
    this.prover.finish();
    return transactions.map((transaction, at) => {
      const signer = job.signer(at, PREFIX);
      return {
        question: `signer:${toHex(idOf(transaction))}:${transaction.signature.map(toHex).join('')}`,
        answer: signer === undefined ? '!' : toHex(signer),
      };
    });
  }

  private sound(at: number): Transaction {
    const owner = this.owner(at);
    const text = `block ${this.blocks}, transaction ${at}`;
    return signedTransfer({ owner: addressBytes(addressNamed(owner)), text, signers: [owner] });
  }

  private odd(at: number, random: Random): Transaction {
    const owner = addressBytes(addressNamed(this.owner(random.below(OWNERS))));
    const transaction = signedTransfer({ owner, text: `block ${this.blocks}, odd ${at}`, signers: [] });
    const { rs, recovery } = oddSignature(random, idOf(transaction));
    const header = recovery + random.pick([0, 27, 31]);
    transaction.signature = [concatBytes(rs, Uint8Array.of(header))];
    return transaction;
  }

  private owner(at: number): string {
    return `owner ${at % OWNERS}, ${this.generation}`;
  }
}
