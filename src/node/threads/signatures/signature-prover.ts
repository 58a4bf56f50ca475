import { randomFillSync } from 'node:crypto';
import { addressOfKey } from '../../../crypto/key-address.js';
import { secp256k1 } from '../../../crypto/secp256k1.js';
import { Claims } from '../../../crypto/wasm/secp256k1/claims.js';
import { recoverSignerKey, recoveryIdOf } from '../../../state-transition/transactions/recover-signer.js';
import { type KnownKey, KnownKeys } from './known-keys.js';
import type { SignatureJob } from './signature-job.js';

/** Signatures of one proof: 20 ms of work; more of them cost no less each. */
const PROOF_MAX = 1024;
/** Below so many, recovery is quicker. */
const PROOF_MIN = 64;

/** A signature whose claim waits for the proof. */
interface Waiting {
  readonly job: SignatureJob;
  readonly at: number;
  readonly known: KnownKey;
}

/**
 * Finds signers of jobs: a signature of somebody whose key is known is proven to be that key's, many at a time, which
 * takes a third of the time of recovery and has the same answer; all others are recovered, and their keys known from
 * then on.
 */
export class SignatureProver {
  private readonly prefix: number;
  private readonly keys = new KnownKeys();
  private readonly claims = new Claims(PROOF_MAX, {
    random: (bytes) => randomFillSync(bytes),
    timesBase: (scalar) => secp256k1.publicKeyOf(scalar),
  });
  private waiting: Waiting[] = [];
  private provenCount = 0;

  constructor(addressPrefix: number) {
    this.prefix = addressPrefix;
  }

  /** Signers found without recovery. */
  get proven(): number {
    return this.provenCount;
  }

  /** Takes what nobody has taken of a job. Some of it waits for a proof, until there is enough, or {@link finish}. */
  take(job: SignatureJob): void {
    for (let at = 0; at < job.length; at++) {
      // Who stands still for this very job is best served by a proof of all that it has.
      const oldest = this.waiting[0]?.job;
      if (oldest !== undefined && oldest !== job && oldest.isAwaited) this.finish();
      if (!job.take(at)) continue;
      const known = this.keys.of(job.claimant(at));
      if (known === undefined || !this.claim(job, at, known)) this.recover(job, at);
    }
  }

  /** Settles what waits. */
  finish(): void {
    const { waiting } = this;
    this.waiting = [];
    const isProven = this.claims.prove(PROOF_MIN);
    if (isProven) this.provenCount += waiting.length;
    for (const { job, at, known } of waiting) {
      if (isProven) job.settle(at, known.address);
      else this.recover(job, at);
    }
  }

  private claim(job: SignatureJob, at: number, known: KnownKey): boolean {
    const signature = job.signature(at);
    const recovery = recoveryOf(signature);
    if (recovery === undefined) return false;
    if (!this.claims.add({ hash: job.hash(at), signature, isOdd: recovery === 1, key: known.key })) return false;
    this.waiting.push({ job, at, known });
    if (this.waiting.length === PROOF_MAX) this.finish();
    return true;
  }

  private recover(job: SignatureJob, at: number): void {
    let known: KnownKey | undefined;
    try {
      const key = recoverSignerKey(job.hash(at), job.signature(at));
      known = { key, address: addressOfKey(key, this.prefix) };
      this.keys.note(job.claimant(at), known);
    } catch {
      // The thread that executes recovers it again, and so finds the error with its text.
    }
    job.settle(at, known?.address);
  }
}

/** The recovery id of a signature that can be proven: 0 or 1. */
function recoveryOf(signature: Uint8Array): number | undefined {
  try {
    const recovery = recoveryIdOf(signature);
    return recovery < 2 ? recovery : undefined;
  } catch {
    return undefined;
  }
}
