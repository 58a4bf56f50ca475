import { ADDRESS_BYTES, addressBytes } from '../../../domain/address.js';
import { copyBytes } from '../../../domain/bytes.js';
import { HASH_BYTES } from '../../../domain/hash.js';
import { SIGNATURE_BYTES } from '../../../domain/secp256k1.js';
import type { DecodedTransaction } from '../../../vm/transaction.js';
import { recoverSigner } from '../../../vm/transactions/recover-signer.js';

/** The owner of the transaction, and which of its signatures this is, 0 to 255. */
const CLAIMANT_BYTES = ADDRESS_BYTES + 1;
const NTH_MAX = 255;
/** An item: the hash, then from these places on the signature, who is expected to have made it, and who has. */
const SIGNATURE = HASH_BYTES;
const CLAIMANT = SIGNATURE + SIGNATURE_BYTES;
const SIGNER = CLAIMANT + CLAIMANT_BYTES;
const ITEM_BYTES = SIGNER + ADDRESS_BYTES;

/** States of one signature: nobody has taken it, somebody has, its signer is there, it has none. */
const OPEN = 0;
const TAKEN = 1;
const FOUND = 2;
const FAILED = 3;

/** What is asked of a transaction. */
type SignedTransaction = Pick<DecodedTransaction, 'id' | 'message' | 'owner'>;

/** A job as it goes to another thread. */
export interface SharedJob {
  readonly flags: SharedArrayBuffer;
  readonly items: SharedArrayBuffer;
}

/** The signatures of one block in shared memory: every thread takes what nobody else has taken. */
export class SignatureJob {
  readonly shared: SharedJob;
  readonly length: number;
  /** A state for each signature, and behind them whether somebody waits for one that is taken. */
  private readonly flags: Int32Array;
  private readonly items: Buffer;

  constructor(shared: SharedJob) {
    this.shared = shared;
    this.flags = new Int32Array(shared.flags);
    this.items = Buffer.from(shared.items);
    this.length = this.flags.length - 1;
  }

  /** All signatures of 65 bytes or more of some transactions; shorter ones are refused before anybody asks for their signer. */
  static of(transactions: readonly SignedTransaction[]): SignatureJob {
    let length = 0;
    for (const { message } of transactions) for (const signature of message.signature) if (isWhole(signature)) length++;
    const job = new SignatureJob({
      flags: new SharedArrayBuffer((length + 1) * Int32Array.BYTES_PER_ELEMENT),
      items: new SharedArrayBuffer(length * ITEM_BYTES),
    });
    let start = 0;
    for (const { id, message, owner } of transactions) {
      let nth = 0;
      for (const signature of message.signature) {
        if (!isWhole(signature)) continue;
        job.items.set(id, start);
        job.items.set(signature.subarray(0, SIGNATURE_BYTES), start + SIGNATURE);
        // An owner of another length is refused later, and has no signers that are known.
        job.items.set(addressBytes(owner).subarray(0, ADDRESS_BYTES), start + CLAIMANT);
        job.items[start + CLAIMANT + ADDRESS_BYTES] = Math.min(nth++, NTH_MAX);
        start += ITEM_BYTES;
      }
    }
    return job;
  }

  /** Takes an item; false where another thread has. */
  take(at: number): boolean {
    return Atomics.compareExchange(this.flags, at, OPEN, TAKEN) === OPEN;
  }

  /** Says who signed an item that this thread took: undefined where recovery fails. */
  settle(at: number, signer: Uint8Array | undefined): void {
    if (signer !== undefined) this.items.set(signer, at * ITEM_BYTES + SIGNER);
    Atomics.store(this.flags, at, signer === undefined ? FAILED : FOUND);
    Atomics.notify(this.flags, at);
  }

  hash(at: number): Uint8Array {
    return this.part(at, 0, SIGNATURE);
  }

  signature(at: number): Uint8Array {
    return this.part(at, SIGNATURE, CLAIMANT);
  }

  /** Who is expected to have signed: a key of maps. */
  claimant(at: number): string {
    const start = at * ITEM_BYTES;
    return this.items.toString('latin1', start + CLAIMANT, start + SIGNER);
  }

  /** Whether a thread stands still until an item that another one has taken is settled. */
  get isAwaited(): boolean {
    return Atomics.load(this.flags, this.length) !== 0;
  }

  /** The signer of an item, recovered here when nobody has; undefined when it has none. Helps with others while it waits. */
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
    return this.part(at, SIGNER, ITEM_BYTES);
  }

  private recover(at: number, addressPrefix: number): void {
    if (this.take(at)) this.settle(at, signerOrNone(this.hash(at), this.signature(at), addressPrefix));
  }

  private part(at: number, from: number, to: number): Uint8Array {
    return copyBytes(this.items.subarray(at * ITEM_BYTES + from, at * ITEM_BYTES + to));
  }
}

/** A proof of a thousand signatures takes 20 ms; the wait only bounds how long a claim of a thread that died is looked at. */
const WAIT_MS = 50;

/** Undefined where it fails: the thread that executes recovers it again, and so finds the error with its text. */
function signerOrNone(hash: Uint8Array, signature: Uint8Array, addressPrefix: number): Uint8Array | undefined {
  try {
    return recoverSigner(hash, signature, addressPrefix);
  } catch {
    return undefined;
  }
}

function isWhole({ length }: Uint8Array): boolean {
  return length >= SIGNATURE_BYTES;
}
