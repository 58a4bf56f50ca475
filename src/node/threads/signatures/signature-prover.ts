import { randomFillSync } from 'node:crypto';
import { addressOfKey } from '../../../crypto/key-address.js';
import { secp256k1 } from '../../../crypto/secp256k1.js';
import { Claims } from '../../../crypto/wasm/secp256k1/claims.js';
import { recoverSignerKey, recoveryIdOf } from '../../../state-transition/transactions/recover-signer.js';
import { type KnownKey, KnownKeys } from './known-keys.js';
import type { SignatureJob } from './signature-job.js';

/**
 * Maximum number of signatures in one proof, which then takes about 20 ms. A larger proof saves no time per signature.
 */
const PROOF_MAX = 1024;
/** Minimum number of signatures in a proof. Below it, recovery is faster. */
const PROOF_MIN = 64;

/** A signature that has an expected key, and whose proof is pending. */
interface UnprovenSignature {
  readonly job: SignatureJob;
  readonly at: number;
  readonly known: KnownKey;
}

/**
 * Finds the signers of jobs. If a public key is cached for the owner of a signature, the signature is verified with
 * this key in a batch (a proof). A proof finds the same signers as key recovery, in a third of the time. If no key is
 * cached or the proof fails, the key is recovered and cached.
 */
export class SignatureProver {
  private readonly prefix: number;
  private readonly keys = new KnownKeys();
  private readonly claims = new Claims(PROOF_MAX, {
    random: (bytes) => randomFillSync(bytes),
    timesBase: (scalar) => secp256k1.publicKeyOf(scalar),
  });
  private unproven: UnprovenSignature[] = [];
  private provenCount = 0;

  constructor(addressPrefix: number) {
    this.prefix = addressPrefix;
  }

  /** Number of signers found without recovery. */
  get proven(): number {
    return this.provenCount;
  }

  /**
   * Claims all items of a job that no other thread has claimed. The signers of some items are stored later, when a
   * proof is large enough, or by {@link finish}.
   */
  take(job: SignatureJob): void {
    for (let at = 0; at < job.length; at++) {
      // If a thread waits for the oldest job, proves the signatures of that job now.
      const oldest = this.unproven[0]?.job;
      if (oldest !== undefined && oldest !== job && oldest.isAwaited) this.finish();
      if (!job.claim(at)) continue;
      const known = this.keys.of(job.claimant(at));
      if (known === undefined || !this.claim(job, at, known)) this.recover(job, at);
    }
  }

  /**
   * Verifies all collected signatures in one proof and stores their signers. If the proof fails, recovers each signer.
   */
  finish(): void {
    const { unproven } = this;
    this.unproven = [];
    const isProven = this.claims.prove(PROOF_MIN);
    if (isProven) this.provenCount += unproven.length;
    for (const { job, at, known } of unproven) {
      if (isProven) job.settle(at, known.address);
      else this.recover(job, at);
    }
  }

  private claim(job: SignatureJob, at: number, known: KnownKey): boolean {
    const signature = job.signature(at);
    const recovery = recoveryOf(signature);
    if (recovery === undefined) return false;
    if (!this.claims.add({ hash: job.hash(at), signature, isOdd: recovery === 1, key: known.key })) return false;
    this.unproven.push({ job, at, known });
    if (this.unproven.length === PROOF_MAX) this.finish();
    return true;
  }

  private recover(job: SignatureJob, at: number): void {
    let known: KnownKey | undefined;
    try {
      const key = recoverSignerKey(job.hash(at), job.signature(at));
      known = { key, address: addressOfKey(key, this.prefix) };
      this.keys.note(job.claimant(at), known);
    } catch {
      // Recovery failed. The executing thread repeats it, and throws an error with java-tron's text.
    }
    job.settle(at, known?.address);
  }
}

/** Returns the recovery id (0 or 1) of a signature that a proof can contain; undefined for other signatures. */
function recoveryOf(signature: Uint8Array): number | undefined {
  try {
    const recovery = recoveryIdOf(signature);
    return recovery < 2 ? recovery : undefined;
  } catch {
    return undefined;
  }
}
