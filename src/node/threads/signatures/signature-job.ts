import { HASH_BYTES, sha256 } from '../../../crypto/hash.js';
import { SIGNATURE_BYTES } from '../../../crypto/secp256k1.js';
import { ADDRESS_BYTES } from '../../../primitives/address.js';
import { itemAt } from '../../../primitives/assert.js';
import { copyBytes } from '../../../primitives/bytes.js';
import { recoverSigner } from '../../../state-transition/transactions/recover-signer.js';
import { ownerPosition, POSITION_NUMBERS, signedPositions } from './signed-positions.js';

/** Byte offset of the signer in an item. The hash of the signed data precedes it. */
const SIGNER = HASH_BYTES;
const ITEM_BYTES = SIGNER + ADDRESS_BYTES;

/**
 * Largest signature index in the result of `claimant`. `claimant` counts back to the first signature of the
 * transaction, so a limit is needed for transactions with very many signatures. All signatures with a greater index get
 * this index.
 */
const NTH_MAX = 255;

/** State of a signature: no thread has claimed it yet. */
const OPEN = 0;
/** State of a signature: a thread has claimed it. */
const CLAIMED = 1;
/** State of a signature: the signer was found. */
const FOUND = 2;
/** State of a signature: recovery failed. */
const FAILED = 3;

/** Memory of a job, as it is sent to another thread. */
export interface SharedJob {
  /**
   * Numbers in this order: one state per signature; a flag that is 1 while a thread waits for a signature that another
   * thread has claimed; the positions of the signatures in the block.
   */
  readonly numbers: SharedArrayBuffer;
  /** One item (hash and signer) per signature. The encoded block follows. */
  readonly bytes: SharedArrayBuffer;
}

/**
 * Signatures of one block in shared memory, whose signers several threads recover. Each signature is claimed by one
 * thread only.
 */
export class SignatureJob {
  readonly shared: SharedJob;
  readonly length: number;
  private readonly flags: Int32Array;
  private readonly places: Int32Array;
  private readonly items: Buffer;
  private readonly block: Buffer;
  /** Start position and hash of the raw data that was hashed last. */
  private hashed: { readonly start: number; readonly hash: Uint8Array } | undefined;

  constructor(shared: SharedJob) {
    this.shared = shared;
    const numbers = new Int32Array(shared.numbers);
    this.length = (numbers.length - 1) / (1 + POSITION_NUMBERS);
    this.flags = numbers.subarray(0, this.length + 1);
    this.places = numbers.subarray(this.length + 1);
    this.items = Buffer.from(shared.bytes, 0, this.length * ITEM_BYTES);
    this.block = Buffer.from(shared.bytes, this.items.length);
  }

  /** Creates a job for the signatures of an encoded `protocol.Block`. Omits signatures shorter than 65 bytes. */
  static of(block: Uint8Array): SignatureJob {
    const places = signedPositions(block);
    const length = places.length / POSITION_NUMBERS;
    const job = new SignatureJob({
      numbers: new SharedArrayBuffer((1 + length + places.length) * Int32Array.BYTES_PER_ELEMENT),
      bytes: new SharedArrayBuffer(length * ITEM_BYTES + block.length),
    });
    job.places.set(places);
    job.block.set(block);
    return job;
  }

  /** Claims an item for this thread. Returns false if another thread has already claimed it. */
  claim(at: number): boolean {
    if (Atomics.compareExchange(this.flags, at, OPEN, CLAIMED) !== OPEN) return false;
    this.items.set(this.hashOf(this.place(at, 0), this.place(at, 1)), at * ITEM_BYTES);
    return true;
  }

  /** Stores the signer of an item that this thread has claimed. @param signer undefined if recovery failed */
  settle(at: number, signer: Uint8Array | undefined): void {
    if (signer !== undefined) this.items.set(signer, at * ITEM_BYTES + SIGNER);
    Atomics.store(this.flags, at, signer === undefined ? FAILED : FOUND);
    Atomics.notify(this.flags, at);
  }

  /** Returns the signed hash of a claimed item. */
  hash(at: number): Uint8Array {
    return copyBytes(this.items.subarray(at * ITEM_BYTES, at * ITEM_BYTES + SIGNER));
  }

  signature(at: number): Uint8Array {
    const start = this.place(at, 2);
    return copyBytes(this.block.subarray(start, start + SIGNATURE_BYTES));
  }

  /**
   * Returns true if the signature of the item equals the first 65 of these bytes. Returns false if there are fewer
   * bytes.
   */
  isSignature(at: number, { buffer, byteOffset, length }: Uint8Array): boolean {
    const start = this.place(at, 2);
    const other = Buffer.from(buffer, byteOffset, Math.min(length, SIGNATURE_BYTES));
    return this.block.compare(other, 0, other.length, start, start + SIGNATURE_BYTES) === 0;
  }

  /**
   * Returns the claimant: the name under which the expected key of a signature is cached. It consists of the owner of
   * the transaction and the index of the signature in that transaction.
   */
  claimant(at: number): string {
    const start = this.place(at, 0);
    const owner = ownerPosition(this.block, start, this.place(at, 1));
    const name = owner === undefined ? '' : this.block.toString('latin1', owner, owner + ADDRESS_BYTES);
    let nth = 0;
    while (nth < Math.min(at, NTH_MAX) && this.place(at - nth - 1, 0) === start) nth++;
    return name + nth;
  }

  /** True if a thread waits for an item that another thread has claimed. */
  get isAwaited(): boolean {
    return Atomics.load(this.flags, this.length) !== 0;
  }

  /**
   * Returns the signer of an item; undefined if recovery failed. If no thread has claimed the item, recovers the
   * signer. While another thread works on the item, recovers signers of other items.
   */
  signer(at: number, addressPrefix: number): Uint8Array | undefined {
    this.recover(at, addressPrefix);
    let helped = this.length;
    while (Atomics.load(this.flags, at) === CLAIMED) {
      Atomics.store(this.flags, this.length, 1);
      while (helped > at && Atomics.load(this.flags, --helped) !== OPEN);
      if (helped > at) this.recover(helped, addressPrefix);
      else Atomics.wait(this.flags, at, CLAIMED, WAIT_MS);
    }
    if (Atomics.load(this.flags, at) === FAILED) return undefined;
    return copyBytes(this.items.subarray(at * ITEM_BYTES + SIGNER, (at + 1) * ITEM_BYTES));
  }

  private recover(at: number, addressPrefix: number): void {
    if (this.claim(at)) this.settle(at, signerOrNone(this.hash(at), this.signature(at), addressPrefix));
  }

  /**
   * Returns the hash of the raw data of a transaction. Caches the last hash, because the signatures of a transaction
   * are consecutive items.
   */
  private hashOf(start: number, end: number): Uint8Array {
    if (this.hashed?.start !== start) this.hashed = { start, hash: sha256(this.block.subarray(start, end)) };
    return this.hashed.hash;
  }

  private place(at: number, nth: number): number {
    return itemAt(this.places, at * POSITION_NUMBERS + nth);
  }
}

/**
 * Timeout of one wait for an item, in ms. After this time, the state of the item is read again, because the thread
 * that claimed the item may have died. The timeout is longer than the 20 ms in which a proof verifies a thousand
 * signatures.
 */
const WAIT_MS = 50;

/**
 * Recovers a signer; undefined if recovery fails. In this case, the executing thread recovers the signer again, to
 * throw java-tron's error.
 */
function signerOrNone(hash: Uint8Array, signature: Uint8Array, addressPrefix: number): Uint8Array | undefined {
  try {
    return recoverSigner(hash, signature, addressPrefix);
  } catch {
    return undefined;
  }
}
