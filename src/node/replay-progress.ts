import type { Replay } from '../projections/ledger/replay.js';

/** Time between two progress lines, in ms. */
const PROGRESS_MS = 2000;

/** Returns a function that prints the progress of a replay to the standard error, at most every two seconds. */
export function replayProgress(job: Replay, target: number): () => void {
  const first = job.number;
  const started = Date.now();
  let reported = started;
  return () => {
    if (Date.now() - reported < PROGRESS_MS) return;
    reported = Date.now();
    const perSecond = ((job.number - first) * 1000) / (reported - started);
    const left = Math.round((target - job.number) / perSecond);
    process.stderr.write(`block ${job.number} of ${target}, ${perSecond.toFixed(1)} blocks/s, ${left} s left\n`);
  };
}
