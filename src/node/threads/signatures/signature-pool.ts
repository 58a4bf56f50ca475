import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SIGNATURE_BYTES } from '../../../crypto/secp256k1.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { recoverSigner } from '../../../state-transition/transactions/recover-signer.js';
import type { FindSigner } from '../../../state-transition/transactions/validate-signature.js';
import { SignatureJob } from './signature-job.js';

/**
 * Threads that recover the signers of transactions before their execution. The executing thread recovers a signer that
 * is not available in time.
 */
export class SignaturePool {
  private readonly workers: Worker[];
  private readonly prefix: number;
  private next = 0;

  constructor({ threads, addressPrefix }: { threads: number; addressPrefix: number }) {
    this.prefix = addressPrefix;
    const file = new URL('./signature-worker.js', import.meta.url);
    // Tests from sources have no compiled worker, so the executing thread recovers all signatures.
    const count = existsSync(fileURLToPath(file)) ? threads : 0;
    this.workers = Array.from({ length: count }, () => new Worker(file, { workerData: addressPrefix, execArgv: [] }));
    for (const worker of this.workers) worker.unref();
  }

  /**
   * Starts recovery of the signers of an encoded `protocol.Block`.
   * @returns a function that returns the signer of a signature
   */
  prepare(block: Uint8Array): FindSigner {
    const job = SignatureJob.of(block);
    if (job.length > 0) this.workers[this.next++ % Math.max(1, this.workers.length)]?.postMessage(job.shared);
    const signatures = new RequestedSignatures(job);
    return (hash, signature) => {
      const at = signatures.find(signature);
      const signer = at === undefined ? undefined : job.signer(at, this.prefix);
      // The job finds the signed bytes without a full decoder, so they may be wrong. Their hash must equal the
      // requested hash.
      const isRight = signer !== undefined && at !== undefined && equalBytes(job.hash(at), hash);
      return isRight ? signer : recoverSigner(hash, signature, this.prefix);
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** Finds requested signatures in a job. Execution requests them mostly in block order and may skip some. */
class RequestedSignatures {
  private readonly job: SignatureJob;
  private next = 0;
  private places: Map<string, number> | undefined;

  constructor(job: SignatureJob) {
    this.job = job;
  }

  /** Returns the item index of a signature; undefined if the job does not contain the signature. */
  find(signature: Uint8Array): number | undefined {
    const { job, next } = this;
    const found = next < job.length && job.isSignature(next, signature) ? next : this.lookUp(signature);
    if (found !== undefined) this.next = found + 1;
    return found;
  }

  private lookUp(signature: Uint8Array): number | undefined {
    const { job } = this;
    this.places ??= new Map(Array.from({ length: job.length }, (_, at) => [keyOf(job.signature(at)), at]));
    return this.places.get(keyOf(signature.subarray(0, SIGNATURE_BYTES)));
  }
}

function keyOf(signature: Uint8Array): string {
  return Buffer.from(signature.buffer, signature.byteOffset, signature.length).toString('latin1');
}
