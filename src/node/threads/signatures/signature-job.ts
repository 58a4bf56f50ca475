import { HASH_BYTES, sha256 } from '../../../crypto/hash.js';
import { SIGNATURE_BYTES } from '../../../crypto/secp256k1.js';
import { ADDRESS_BYTES } from '../../../primitives/address.js';
import { itemAt } from '../../../primitives/assert.js';
import { copyBytes } from '../../../primitives/bytes.js';
import { recoverSigner } from '../../../state-transition/transactions/recover-signer.js';
import { ownerPosition, POSITION_NUMBERS, signedPositions } from './signed-positions.js';

/** What is found of a signature: the hash that it signs, and from this place on who made it. */
const SIGNER = HASH_BYTES;
const ITEM_BYTES = SIGNER + ADDRESS_BYTES;

/** From which signature of a transaction on they are not told apart. */
const NTH_MAX = 255;

/** States of one signature: nobody has taken it, somebody has, its signer is there, it has none. */
const OPEN = 0;
const TAKEN = 1;
const FOUND = 2;
const FAILED = 3;

/** A job as it goes to another thread. */
export interface SharedJob {
  /**
   * A state for each signature, behind them whether somebody waits for one that is taken, and then their places in the
   * block.
   */
  readonly numbers: SharedArrayBuffer;
  /** What is found of each signature, and behind that the block. */
  readonly bytes: SharedArrayBuffer;
}

/** The signatures of one block in shared memory: every thread takes what nobody else has taken. */
export class SignatureJob {
  readonly shared: SharedJob;
  readonly length: number;
  private readonly flags: Int32Array;
  private readonly places: Int32Array;
  private readonly items: Buffer;
  private readonly block: Buffer;
  /** The raw data that was hashed last. */
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

  /** All signatures of 65 bytes or more of a block, as `protocol.Block`. */
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

  /** Takes an item; false where another thread has. */
  take(at: number): boolean {
    if (Atomics.compareExchange(this.flags, at, OPEN, TAKEN) !== OPEN) return false;
    this.items.set(this.hashOf(this.place(at, 0), this.place(at, 1)), at * ITEM_BYTES);
    return true;
  }

  /** Says who signed an item that this thread took: undefined where recovery fails. */
  settle(at: number, signer: Uint8Array | undefined): void {
    if (signer !== undefined) this.items.set(signer, at * ITEM_BYTES + SIGNER);
    Atomics.store(this.flags, at, signer === undefined ? FAILED : FOUND);
    Atomics.notify(this.flags, at);
  }

  /** What an item that is taken signs. */
  hash(at: number): Uint8Array {
    return copyBytes(this.items.subarray(at * ITEM_BYTES, at * ITEM_BYTES + SIGNER));
  }

  signature(at: number): Uint8Array {
    const start = this.place(at, 2);
    return copyBytes(this.block.subarray(start, start + SIGNATURE_BYTES));
  }

  /** Whether a signature begins with the bytes of an item's. */
  isSignature(at: number, { buffer, byteOffset, length }: Uint8Array): boolean {
    const start = this.place(at, 2);
    const other = Buffer.from(buffer, byteOffset, Math.min(length, SIGNATURE_BYTES));
    return this.block.compare(other, 0, other.length, start, start + SIGNATURE_BYTES) === 0;
  }

  /**
   * Who is expected to have signed: a key of maps, of the owner of the transaction and of which of its signatures this
   * is.
   */
  claimant(at: number): string {
    const start = this.place(at, 0);
    const owner = ownerPosition(this.block, start, this.place(at, 1));
    const name = owner === undefined ? '' : this.block.toString('latin1', owner, owner + ADDRESS_BYTES);
    let nth = 0;
    while (nth < Math.min(at, NTH_MAX) && this.place(at - nth - 1, 0) === start) nth++;
    return name + nth;
  }

  /** Whether a thread stands still until an item that another one has taken is settled. */
  get isAwaited(): boolean {
    return Atomics.load(this.flags, this.length) !== 0;
  }

  /**
   * The signer of an item, recovered here when nobody has; undefined when it has none. Helps with others while it
   * waits.
   */
  signer(at: number, addressPrefix: number): Uint8Array | undefined {
    this.recover(at, addressPrefix);
    let helped = this.length;
    while (Atomics.load(this.flags, at) === TAKEN) {
      Atomics.store(this.flags, this.length, 1);
      while (helped > at && Atomics.load(this.flags, --helped) !== OPEN);
      if (helped > at) this.recover(helped, addressPrefix);
      else Atomics.wait(this.flags, at, TAKEN, WAIT_MS);
    }
    if (Atomics.load(this.flags, at) === FAILED) return undefined;
    return copyBytes(this.items.subarray(at * ITEM_BYTES + SIGNER, (at + 1) * ITEM_BYTES));
  }

  private recover(at: number, addressPrefix: number): void {
    if (this.take(at)) this.settle(at, signerOrNone(this.hash(at), this.signature(at), addressPrefix));
  }

  /**
   * Signatures of one transaction stand one behind the other, and sign the same: large raw data with many of them is
   * hashed once.
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
 * A proof of a thousand signatures takes 20 ms; the wait only bounds how long a claim of a thread that died is looked
 * at.
 */
const WAIT_MS = 50;

/** Undefined where it fails: the thread that executes recovers it again, and so finds the error with its text. */
function signerOrNone(hash: Uint8Array, signature: Uint8Array, addressPrefix: number): Uint8Array | undefined {
  try {
    return recoverSigner(hash, signature, addressPrefix);
  } catch {
    return undefined;
  }
}
