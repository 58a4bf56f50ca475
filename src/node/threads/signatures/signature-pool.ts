import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SIGNATURE_BYTES } from '../../../domain/secp256k1.js';
import type { DecodedBlock } from '../../../vm/block/decoded-block.js';
import { recoverSigner } from '../../../vm/transactions/recover-signer.js';
import type { FindSigner } from '../../../vm/transactions/validate-signature.js';
import { SignatureJob } from './signature-job.js';

/** Threads that find signers ahead of execution; the executing thread helps where they have not been yet. */
export class SignaturePool {
  private readonly workers: Worker[];
  private readonly prefix: number;
  private next = 0;

  constructor({ threads, addressPrefix }: { threads: number; addressPrefix: number }) {
    this.prefix = addressPrefix;
    const file = new URL('./signature-worker.js', import.meta.url);
    // From sources (tests) there is no compiled worker: the executing thread does all.
    const count = existsSync(fileURLToPath(file)) ? threads : 0;
    this.workers = Array.from({ length: count }, () => new Worker(file, { workerData: addressPrefix }));
    for (const worker of this.workers) worker.unref();
  }

  /** Starts on the signatures of a block; what it answers finds their signers during execution. */
  prepare(block: DecodedBlock): FindSigner {
    const job = SignatureJob.of(block.transactions);
    this.workers[this.next++ % Math.max(1, this.workers.length)]?.postMessage(job.shared);
    // Execution asks with the very arrays of the block: looking at their bytes is not needed to know them.
    const places = new Map<Uint8Array, number>();
    for (const { message } of block.transactions) {
      for (const signature of message.signature)
        if (signature.length >= SIGNATURE_BYTES) places.set(signature, places.size);
    }
    return (hash, signature) => {
      const at = places.get(signature);
      const signer = at === undefined ? undefined : job.signer(at, this.prefix);
      return signer ?? recoverSigner(hash, signature, this.prefix);
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}
