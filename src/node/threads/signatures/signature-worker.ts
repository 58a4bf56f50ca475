import { parentPort } from 'node:worker_threads';
import { SignatureJob } from './signature-job.js';

/** Recovers signers of whole blocks ahead of execution. */
parentPort!.on(
  'message',
  ({ flags, items, prefix }: { flags: SharedArrayBuffer; items: SharedArrayBuffer; prefix: number }) => {
    const job = new SignatureJob(flags.byteLength / 4, prefix, { flags, items });
    for (let at = 0; at < job.length; at++) job.recover(at);
  },
);
