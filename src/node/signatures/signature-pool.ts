import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { toHex } from '../../log/domain/bytes.js';
import type { DecodedBlock } from '../../vm/block/decoded-block.js';
import { recoverSigner } from '../../vm/transactions/recover-signer.js';
import type { FindSigner } from '../../vm/transactions/validate-signature.js';
import { SignatureJob } from './signature-job.js';

/** Threads that recover signers ahead of execution; the executing thread helps where they have not been yet. */
export class SignaturePool {
  private readonly workers: Worker[];
  private readonly prefix: number;
  private next = 0;

  constructor({ threads, addressPrefix }: { threads: number; addressPrefix: number }) {
    this.prefix = addressPrefix;
    const file = new URL('./signature-worker.js', import.meta.url);
    // From sources (tests) there is no compiled worker: the executing thread does all.
    const count = existsSync(fileURLToPath(file)) ? threads : 0;
    this.workers = Array.from({ length: count }, () => new Worker(file));
    for (const worker of this.workers) worker.unref();
  }

  /** Starts on the signatures of a block; what it answers finds their signers during execution. */
  prepare(block: DecodedBlock): FindSigner {
    const job = SignatureJob.of(block.transactions, this.prefix);
    const worker = this.workers[this.next++ % Math.max(1, this.workers.length)];
    worker?.postMessage({ flags: job.flags.buffer, items: job.items.buffer, prefix: this.prefix });
    const places = new Map<string, number>();
    let place = 0;
    for (const { id, message } of block.transactions) {
      for (const signature of message.signature) {
        if (signature.length >= 65) places.set(toHex(id) + toHex(signature.subarray(0, 65)), place++);
      }
    }
    return (hash, signature) => {
      const at = places.get(toHex(hash) + toHex(signature.subarray(0, 65)));
      const signer = at === undefined ? undefined : job.signer(at);
      return signer ?? recoverSigner(hash, signature, this.prefix);
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}
