import { ADDRESS_BYTES } from '../../../domain/address.js';
import { HASH_BYTES } from '../../../domain/hash.js';
import { SIGNATURE_BYTES } from '../../../domain/secp256k1.js';
import type { DecodedTransaction } from '../../../vm/transaction.js';
import { recoverSigner } from '../../../vm/transactions/recover-signer.js';

const ITEM_BYTES = HASH_BYTES + SIGNATURE_BYTES + ADDRESS_BYTES;

/** States of one signature: nobody, somebody, done, done without a signer. */
const OPEN = 0;
const CLAIMED = 1;
const FOUND = 2;
const FAILED = 3;

/** The signatures of one block in shared memory: every thread takes what nobody else has taken. */
export class SignatureJob {
  readonly flags: Int32Array;
  readonly items: Uint8Array;
  private readonly prefix: number;

  /** `length` signatures; with `memory` the job of another thread. */
  constructor(length: number, prefix: number, memory?: { flags: SharedArrayBuffer; items: SharedArrayBuffer }) {
    this.prefix = prefix;
    this.flags = new Int32Array(memory?.flags ?? new SharedArrayBuffer(length * 4));
    this.items = new Uint8Array(memory?.items ?? new SharedArrayBuffer(length * ITEM_BYTES));
  }

  /** All signatures of 65 bytes or more of some transactions; shorter ones are refused before anybody asks for their signer. */
  static of(transactions: readonly DecodedTransaction[], prefix: number): SignatureJob {
    const pairs = transactions.flatMap(({ id, message }) =>
      message.signature.filter(({ length }) => length >= SIGNATURE_BYTES).map((signature) => ({ id, signature })),
    );
    const job = new SignatureJob(pairs.length, prefix);
    pairs.forEach(({ id, signature }, at) => {
      job.items.set(id, at * ITEM_BYTES);
      job.items.set(signature.subarray(0, SIGNATURE_BYTES), at * ITEM_BYTES + HASH_BYTES);
    });
    return job;
  }

  get length(): number {
    return this.flags.length;
  }

  /** Recovers one signer, unless another thread has taken it. */
  recover(at: number): void {
    if (Atomics.compareExchange(this.flags, at, OPEN, CLAIMED) !== OPEN) return;
    const start = at * ITEM_BYTES;
    const hash = this.items.slice(start, start + HASH_BYTES);
    const signature = this.items.slice(start + HASH_BYTES, start + HASH_BYTES + SIGNATURE_BYTES);
    let state = FAILED;
    try {
      this.items.set(recoverSigner(hash, signature, this.prefix), start + HASH_BYTES + SIGNATURE_BYTES);
      state = FOUND;
    } catch {
      // The thread that executes recovers it again, and so finds the error with its text.
    }
    Atomics.store(this.flags, at, state);
    Atomics.notify(this.flags, at);
  }

  /** The signer of an item, recovered here when nobody has; undefined when it has none. Helps with others while it waits. */
  signer(at: number): Uint8Array | undefined {
    this.recover(at);
    let helped = this.length;
    while (Atomics.load(this.flags, at) === CLAIMED) {
      while (helped > at && Atomics.load(this.flags, --helped) !== OPEN);
      if (helped > at) this.recover(helped);
      else Atomics.wait(this.flags, at, CLAIMED, WAIT_MS);
    }
    if (Atomics.load(this.flags, at) === FAILED) return undefined;
    const start = at * ITEM_BYTES + HASH_BYTES + SIGNATURE_BYTES;
    return this.items.slice(start, start + ADDRESS_BYTES);
  }
}

/** A recovery takes 0.1 ms; the wait only ends a claim that a dead thread left. */
const WAIT_MS = 50;
