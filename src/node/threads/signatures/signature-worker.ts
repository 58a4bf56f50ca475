import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type SharedJob, SignatureJob } from './signature-job.js';
import { SignatureProver } from './signature-prover.js';

/**
 * Finds signers of whole blocks ahead of execution: blocks that come meanwhile are taken before what waits for a proof
 * is settled.
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

// Its owner gives it the prefix of addresses.
if (parentPort !== null) serve(parentPort, new SignatureProver(workerData as number));
