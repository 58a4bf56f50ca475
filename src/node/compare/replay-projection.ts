import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { NodeConfig } from '../../config/load-config.js';
import { requireLog } from '../../log/log-file.js';
import { toHex } from '../../primitives/bytes.js';
import { ArgumentError, UsageError } from '../../primitives/errors.js';
import { intendedWord } from '../../primitives/nearest-word.js';
import { TimeSlice } from '../../primitives/time-slice.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import { openSideReplay, type Replay } from '../../projections/ledger/replay.js';
import type { StateProjection } from '../../projections/state/state-projection.js';
import { findStateProjection, stateProjections } from '../../projections/state-projections.js';
import { compareProjection } from '../../projections/verify/compare-projection.js';
import { decodeBlock } from '../../state-transition/block/decoded-block.js';
import { executeBlock } from '../../state-transition/block/execute-block.js';
import { State } from '../../state-transition/state/state.js';
import { chainRules } from '../chain-config.js';
import type { Progress } from '../command-line/progress.js';
import { checkBeforeReading, isInUse } from '../doctor/data.js';
import { replayExecutor } from '../replay-executor.js';
import { SNAPSHOT_MS_MAX } from './snapshot-time.js';

interface ReplayProjectionOptions {
  readonly name: string;
  readonly config: NodeConfig;
  readonly log: Logger;
  readonly progress: Progress;
}

type Comparison = ReturnType<typeof compareProjection>;

/** Result of the comparison of a rebuilt projection with the stored projection, at a block. */
interface ProjectionComparison extends Pick<Comparison, 'stored' | 'rebuilt'> {
  readonly projection: string;
  readonly version: number;
  readonly number: number;
  readonly id: string;
  readonly method: 'changes' | 'execution';
  readonly firstMismatch: NonNullable<Comparison['firstMismatch']> | null;
}

/** Temporary folder below the data folder. */
const FOLDER = 'state.compare';

/**
 * Rebuilds one projection from the log in a temporary folder, and compares its rows with the stored rows. Applies the
 * logged row changes if all of them are retained. Otherwise, executes the blocks and rebuilds all projections, because
 * execution needs the rows of all projections.
 */
export async function replayProjection({
  name,
  config,
  log,
  progress,
}: ReplayProjectionOptions): Promise<ProjectionComparison> {
  const projection = namedProjection(name);
  const dataDir = config.outputDirectory;
  requireLog(dataDir);
  const isRunning = await isInUse(dataDir);
  await checkBeforeReading(dataDir, isRunning);
  const ledger = await openLedger({ dataDir, retention: 'all', checkpointVersion: 2, log, readOnly: true });
  let job: Replay | undefined;
  try {
    const isFolded = ledger.keptHeight <= (ledger.base?.number ?? 0);
    job = openSideReplay(dataDir, FOLDER, isFolded ? projection : undefined);
    const step = isFolded ? () => job?.applyLogged() : executeNext(job, config);
    await replayToStored(job, ledger, isRunning, step, progress);
    return compare(projection, ledger, job, isFolded ? 'changes' : 'execution');
  } finally {
    await job?.close();
    await ledger.close();
    rmSync(join(dataDir, FOLDER), { recursive: true, force: true });
  }
}

/** Returns the state projection with a name. @throws {ArgumentError} unknown name */
function namedProjection(name: string): StateProjection {
  const projection = findStateProjection(name);
  if (projection !== undefined) return projection;
  const names = stateProjections.map((one) => one.name);
  const intended = intendedWord(name, names);
  const hint = intended === undefined ? `use one of ${names.join(', ')}` : `did you mean '${intended}'?`;
  throw new ArgumentError(`unknown projection '${name}': ${hint}`);
}

/**
 * Returns a function that executes the next block of the log. The function skips signature checks, because the node
 * verified the block before it stored the block.
 */
function executeNext(job: Replay, config: NodeConfig): () => void {
  const state = new State(job.head, chainRules(config));
  const executor = replayExecutor(job, state);
  return () => {
    const entry = job.next();
    if (entry === undefined)
      throw new UsageError(`block ${job.number + 1} was reverted during the comparison; run the command again`);
    executeBlock(executor, state, decodeBlock(entry.block), { isOwn: false, isVerified: () => true });
    job.apply(state.commit());
  };
}

/**
 * Replays up to a block whose stored state can be read. Without a running node, this is the head. With a running node,
 * it is the solidified block, because that block cannot be reverted. If the node has pruned the state of that block in
 * the meantime, replays up to a newer solidified block.
 */
async function replayToStored(
  job: Replay,
  ledger: Ledger & { refresh(): void },
  isRunning: boolean,
  step: () => void,
  progress: Progress,
): Promise<void> {
  for (;;) {
    const { headNumber, solidifiedNumber } = ledger.position;
    const target = isRunning ? Math.max(solidifiedNumber, ledger.keptHeight) : headNumber;
    progress.begin('replay', { unit: 'blocks', total: target - job.number });
    const slice = new TimeSlice(SNAPSHOT_MS_MAX);
    while (job.number < target) {
      step();
      progress.add(1);
      await slice.yieldIfOver();
    }
    ledger.refresh();
    job.refresh();
    if (job.number >= ledger.keptHeight) return;
  }
}

function compare(
  projection: StateProjection,
  ledger: Ledger,
  job: Replay,
  method: 'changes' | 'execution',
): ProjectionComparison {
  const { stored, rebuilt, firstMismatch } = compareProjection(projection, ledger.at(job.number), job.head);
  const { name, version } = projection;
  const block = { number: job.number, id: toHex(job.headId) };
  return { projection: name, version, ...block, method, stored, rebuilt, firstMismatch: firstMismatch ?? null };
}
