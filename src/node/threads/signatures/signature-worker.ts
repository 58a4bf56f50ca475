import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type SharedJob, SignatureJob } from './signature-job.js';
import { SignatureProver } from './signature-prover.js';

/**
 * Finds the signers of blocks before the blocks are executed. First claims the signatures of all blocks that have
 * arrived, and then finds the signers that are still missing.
 */
function serve(port: MessagePort, prover: SignatureProver): void {
  port.on('message', (first: SharedJob) => {
    let job: SharedJob | undefined = first;
    while (job !== undefined) {
      prover.take(new SignatureJob(job));
      job = receiveMessageOnPort(port)?.message as SharedJob | undefined;
    }
    prover.finish();
  });
}

// The worker data is the address prefix.
if (parentPort !== null) serve(parentPort, new SignatureProver(workerData as number));
