import { parentPort } from 'node:worker_threads';
import { SignatureJob } from './signature-job.js';
/** Recovers signers of whole blocks ahead of execution. */
parentPort.on('message', ({ flags, items, prefix }) => {
    const job = new SignatureJob(flags.byteLength / 4, prefix, { flags, items });
    for (let at = 0; at < job.length; at++)
        job.recover(at);
});
//# sourceMappingURL=signature-worker.js.map