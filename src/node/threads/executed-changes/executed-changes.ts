import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { encodeInternalTransactions } from '../../../chain/internal-transactions.js';
import type { NodeConfig } from '../../../config/load-config.js';
import { checkFreeSpace } from '../../../files/free-space.js';
import { logHole } from '../../../log/log-damage.js';
import { present } from '../../../primitives/assert.js';
import { TronError } from '../../../primitives/errors.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import { openSideReplay, type Replay } from '../../../projections/ledger/replay.js';
import { decodeBlock } from '../../../state-transition/block/decoded-block.js';
import { type BlockExecutor, executeBlock } from '../../../state-transition/block/execute-block.js';
import { releaseNamed } from '../../../state-transition/releases/index.js';
import { State } from '../../../state-transition/state/state.js';
import type { PastChanges } from '../../../streams/follow/past-changes.js';
import { needsChanges } from '../../../streams/records/event-options.js';
import type { SinkOptions } from '../../../streams/sinks/sink-kinds.js';
import { chainRules } from '../../chain-config.js';
import { readSpendKey } from '../../open-chain.js';
import { replayExecutor } from '../../replay-executor.js';
import type { ExecutedChangesOptions } from './executed-changes-options.js';
import type { PastChangesThreadSource } from './past-changes-thread.js';

/**
 * Creates executors for sinks that need row changes which the log has deleted. An executor runs in this thread or in a
 * new thread.
 */
export interface PastChangesSource {
  open(name: string): PastChanges;
  readonly thread: PastChangesThreadSource;
}

/** Folder of the temporary states. Each sink has a subfolder, which is deleted after use. */
export const EXECUTED_FOLDER = join('streams', 'executed');
/**
 * Execution time in ms after which the event loop runs other events. It also limits the duration of a read transaction
 * of the log.
 */
const TURN_MS = 200;
/**
 * Maximum size of a commit of the temporary state, in bytes. Execution also requires this amount of free disk space, so
 * that it does not fill the disk of the node.
 */
const BATCH_BYTES = 64 * 1024 * 1024;

/**
 * Executes the blocks of the log from genesis in a separate state. Compares each state digest with the digest in the
 * log.
 */
export class ExecutedChanges implements PastChanges {
  private readonly dataDir: string;
  private readonly folder: string;
  private readonly replay: Replay;
  private readonly state: State;
  private readonly executor: BlockExecutor;
  private isStopped = false;

  constructor({ dataDir, rules, release, spendKey }: ExecutedChangesOptions, name: string) {
    this.dataDir = dataDir;
    this.folder = join(EXECUTED_FOLDER, encodeURIComponent(name));
    readSpendKey(spendKey);
    this.replay = openSideReplay(dataDir, this.folder);
    this.state = new State(this.replay.head, {
      ...rules,
      release: present(releaseNamed(release), 'the chain is of a known release'),
    });
    this.executor = replayExecutor(this.replay, this.state);
  }

  /**
   * Executes blocks up to a height. Returns the `changes` record of the block at this height.
   * @throws {TronError} REPLAY_DIFFERS: a digest does not match; STORAGE_FULL: too little free disk space; STOPPED:
   * `stop` was called; LOG_HOLE: a block is not in the log
   */
  async recordOf(number: number): Promise<Uint8Array> {
    let record: Uint8Array | undefined;
    while (this.replay.number < number) {
      if (this.isStopped)
        throw new TronError('STOPPED', 'the sink was stopped while blocks were executed again for it');
      this.replay.refresh();
      checkFreeSpace(this.dataDir, BATCH_BYTES);
      const end = Date.now() + TURN_MS;
      while (this.replay.number < number && Date.now() < end) record = this.executeNext();
      if (this.replay.number < number) await turn();
    }
    if (record === undefined) {
      const reached = this.replay.number;
      throw logHole(`the row changes of block ${number} were requested after the execution of block ${reached}`);
    }
    return record;
  }

  /** Stops the execution after the current turn, which takes about {@link TURN_MS} ms. */
  stop(): void {
    this.isStopped = true;
  }

  async close(): Promise<void> {
    this.stop();
    await turn();
    await this.replay.close();
    rmSync(join(this.dataDir, this.folder), { recursive: true, force: true });
  }

  /** Executes the next block without signature checks, because the node has verified the blocks of its log. */
  private executeNext(): Uint8Array {
    const { replay, state, executor } = this;
    const entry = replay.next();
    if (entry === undefined)
      throw logHole(`a sink needs block ${replay.number + 1}, but the log ends at block ${replay.number}`);
    const outcome = executeBlock(executor, state, decodeBlock(entry.block), { isOwn: false, isVerified: () => true });
    return replay.apply(state.commit(), encodeInternalTransactions(outcome.internalTransactions));
  }
}

/**
 * Returns a note for the operator with the range of blocks that must be executed again for a sink; undefined without
 * such blocks.
 */
export function executionNote(ledger: Ledger, sink: SinkOptions): string | undefined {
  if (!needsChanges(sink) || sink.finality === 'applied') return undefined;
  const first = Math.max(sink.from ?? 0, 1);
  const entry = ledger.block(first);
  if (entry === undefined || ledger.changes(entry.seq) !== undefined) return undefined;
  const last = Math.min(sink.to ?? Number.POSITIVE_INFINITY, ledger.keptHeight);
  return (
    `the row changes of block ${first} were deleted (tronicle.history.retention), so the node executes blocks 0 to ${last} again for the ` +
    'sink, in a separate temporary state'
  );
}

/**
 * Creates the executors of row changes that the log no longer contains. Deletes temporary states of a killed process.
 */
export function pastChangesOf(config: NodeConfig, dataDir: string): PastChangesSource {
  rmSync(join(dataDir, EXECUTED_FOLDER), { recursive: true, force: true });
  const { release, ...rules } = chainRules(config);
  const data: ExecutedChangesOptions = {
    dataDir,
    rules,
    release: release.name,
    spendKey: config.tronicle.sapling.spendKey,
  };
  return {
    open: (name) => new ExecutedChanges(data, name),
    thread: { file: new URL('./executed-changes-worker.js', import.meta.url).href, data },
  };
}
