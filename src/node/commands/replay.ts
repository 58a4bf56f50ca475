import { ReleaseWatch } from '../../chain/release-watch.js';
import { loadConfig } from '../../config/load-config.js';
import { toHex } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import { openReplay, type Replay } from '../../projections/ledger/replay.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import { type BlockExecutor, executeBlock } from '../../state-transition/block/execute-block.js';
import { State } from '../../state-transition/state/state.js';
import { chainRules } from '../chain-config.js';
import { createLog } from '../logging.js';
import { replayExecutor } from '../replay-executor.js';
import { SignaturePool } from '../threads/signatures/signature-pool.js';
import { heightArgument, readArguments } from './arguments.js';
import type { Command } from './command.js';

/** Rebuilds the state from the log. */
export const replay: Command = {
  run,
};

/** Time between two progress lines, in ms. */
const PROGRESS_MS = 2000;

async function run(args: readonly string[]): Promise<number> {
  const { options, flags } = readArguments(args, { '--from': 'value' });
  const fromNumber = heightArgument(options.get('--from'), '--from');
  const log = createLog({ destination: 2 });
  const { config, warnings } = loadConfig({ flags });
  for (const warning of warnings) log.warn(warning);
  const job = await openReplay({
    dataDir: config.outputDirectory,
    log,
    ...(fromNumber === undefined ? {} : { fromNumber }),
  });
  const signatures = new SignaturePool({
    threads: config.tronicle.threads.signatures,
    addressPrefix: config.addressPrefix,
  });
  try {
    const state = new State(job.head, chainRules(config));
    executeAll(job, state, replayExecutor(job, state), signatures);
    await job.finish();
  } catch (error) {
    await job.close();
    throw error;
  } finally {
    await signatures.close();
  }
  process.stdout.write(
    `${JSON.stringify({ head: job.number, headId: toHex(job.headId), digest: toHex(job.digest) })}\n`,
  );
  return 0;
}

function executeAll(job: Replay, state: State, executor: BlockExecutor, signatures: SignaturePool): void {
  const target = job.toNumber;
  const first = job.number;
  const started = Date.now();
  let reported = started;
  const watch = new ReleaseWatch(state);
  for (let entry = job.next(); entry !== undefined; entry = job.next()) {
    const block = decodeBlock(entry.block);
    try {
      executeBlock(executor, state, block, {
        isOwn: false,
        isVerified: () => false,
        findSigner: signatures.prepare(entry.block),
      });
      job.apply(state.commit());
    } catch (error) {
      const reason = watch.whyRefused(block);
      throw reason === undefined ? error : new UsageError(reason, { cause: error });
    }
    if (Date.now() - reported < PROGRESS_MS) continue;
    reported = Date.now();
    const perSecond = ((job.number - first) * 1000) / (reported - started);
    const left = Math.round((target - job.number) / perSecond);
    process.stderr.write(`block ${job.number} of ${target}, ${perSecond.toFixed(1)} blocks/s, ${left} s left\n`);
  }
}
