import { ReleaseWatch } from '../../chain/release-watch.js';
import { loadConfig } from '../../config/load-config.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import { openReplay, type Replay } from '../../projections/ledger/replay.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import { type BlockExecutor, executeBlock } from '../../state-transition/block/execute-block.js';
import { State } from '../../state-transition/state/state.js';
import { chainRules, genesisOf } from '../chain-config.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import type { Progress } from '../command-line/progress.js';
import { heightArgument, readArguments } from '../command-line/read-arguments.js';
import { replayProjection } from '../compare/replay-projection.js';
import { replayExecutor } from '../replay-executor.js';
import { SignaturePool } from '../threads/signatures/signature-pool.js';
import type { Command } from './command.js';

/** Rebuilds the state from the log, or one projection for a comparison. */
export const replay: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'replay');
  const { options, flags } = parsed;
  const fromNumber = heightArgument(options.get('--from'), '--from');
  const projection = options.get('--projection');
  if (projection !== undefined && fromNumber !== undefined)
    throw new ArgumentError('--projection rebuilds all rows from the start of the log; omit --from');
  const output = new CommandOutput(parsed);
  const { log, progress } = output;
  const { config, warnings } = loadConfig({ flags });
  for (const warning of warnings) log.warn(warning);
  if (projection !== undefined) {
    const result = await replayProjection({ name: projection, config, log, progress });
    output.print(result);
    const { firstMismatch } = result;
    if (firstMismatch !== null)
      throw new UsageError(
        `the stored rows of projection ${projection} differ from the rows that the log leads to at block ` +
          `${result.number}, first in row ${firstMismatch.key} of store ${firstMismatch.store}; rebuild the state with 'tronicle replay'`,
      );
    output.summarize({ text: `projection ${projection} equals the log up to block ${result.number}` });
    return 0;
  }
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
    const rules = chainRules(config);
    requireSameGenesis(job, genesisOf(config, rules).id, config.outputDirectory);
    const state = new State(job.head, rules);
    executeAll(job, state, replayExecutor(job, state), signatures, progress);
    await job.finish();
  } catch (error) {
    await job.close();
    throw error;
  } finally {
    await signatures.close();
  }
  output.print({ head: job.number, headId: toHex(job.headId), digest: toHex(job.digest) });
  output.summarize({
    text: `rebuilt the state up to block ${job.number}; all digests match`,
    next: nextCommand('run', parsed, true),
  });
  return 0;
}

/**
 * Checks that the configuration has the genesis block of the log.
 * @throws {UsageError} the log has a different genesis block than the configuration
 */
function requireSameGenesis({ genesisId }: Replay, configured: Uint8Array, dataDir: string): void {
  if (genesisId === undefined || equalBytes(genesisId, configured)) return;
  throw new UsageError(
    `${dataDir} has a chain with genesis block ${toHex(genesisId)}, but the configuration has ${toHex(configured)}; ` +
      'pass the configuration file of the node with -c',
  );
}

function executeAll(
  job: Replay,
  state: State,
  executor: BlockExecutor,
  signatures: SignaturePool,
  progress: Progress,
): void {
  progress.begin('replay', { unit: 'blocks', total: job.toNumber - job.number });
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
    progress.add(1);
  }
}
