import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { encodeInternalTransactions } from '../../../chain/internal-transactions.js';
import type { NodeConfig } from '../../../config/load-config.js';
import { checkFreeSpace } from '../../../files/free-space.js';
import { present } from '../../../primitives/assert.js';
import { TronError } from '../../../primitives/errors.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import { openSideReplay, type Replay } from '../../../projections/ledger/replay.js';
import { decodeBlock } from '../../../state-transition/block/decoded-block.js';
import { type BlockExecutor, executeBlock } from '../../../state-transition/block/execute-block.js';
import { releaseNamed } from '../../../state-transition/releases/index.js';
import type { ChainRules } from '../../../state-transition/state/chain-rules.js';
import { State } from '../../../state-transition/state/state.js';
import type { PastChanges } from '../../../streams/follow/past-changes.js';
import { needsChanges } from '../../../streams/records/event-options.js';
import type { SinkOptions } from '../../../streams/sinks/sink-kinds.js';
import { chainRules } from '../../chain-config.js';
import { readSpendKey } from '../../open-chain.js';
import { replayExecutor } from '../../replay-executor.js';
import type { PastChangesThreadSource } from './past-changes-thread.js';

export interface ExecutedChangesOptions {
  readonly dataDir: string;
  /** The release's functions cannot go to another thread: its name does. */
  readonly rules: Omit<ChainRules, 'release'>;
  readonly release: string;
  /** `tronicle.sapling.spendKey` */
  readonly spendKey: string | undefined;
}

/** How sinks execute blocks again: here, or in a thread of its own. */
export interface PastChangesSource {
  open(name: string): PastChanges;
  readonly thread: PastChangesThreadSource;
}

/** States under execution, one folder for each sink; gone when it needs them no longer. */
export const EXECUTED_FOLDER = join('streams', 'executed');
/** ms of execution after which a turn of the loop ends: a read transaction of the log must not live longer. */
const TURN_MS = 200;
/** What a commit of the state may hold; the running node must not find the disk full because of this one. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** Executes the log's blocks from genesis in a state of its own; each digest is compared with the logged one. */
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

  /** @throws {TronError} REPLAY_DIFFERS, STORAGE_FULL, LOG_HOLE when there is no such block */
  async recordOf(number: number): Promise<Uint8Array> {
    let record: Uint8Array | undefined;
    while (this.replay.number < number) {
      if (this.isStopped) throw new TronError('STOPPED', 'executing again was stopped');
      this.replay.refresh();
      checkFreeSpace(this.dataDir, BATCH_BYTES);
      const end = Date.now() + TURN_MS;
      while (this.replay.number < number && Date.now() < end) record = this.executeNext();
      if (this.replay.number < number) await turn();
    }
    if (record === undefined) throw new TronError('LOG_HOLE', `block ${number} was executed before`);
    return record;
  }

  /** Ends what is under way with the next turn. */
  stop(): void {
    this.isStopped = true;
  }

  async close(): Promise<void> {
    this.stop();
    await turn();
    await this.replay.close();
    rmSync(join(this.dataDir, this.folder), { recursive: true, force: true });
  }

  /** The node has checked the signatures of what is in its log. */
  private executeNext(): Uint8Array {
    const { replay, state, executor } = this;
    const entry = replay.next();
    if (entry === undefined) throw new TronError('LOG_HOLE', `the log ends at block ${replay.number}`);
    const outcome = executeBlock(executor, state, decodeBlock(entry.block), { isOwn: false, isVerified: () => true });
    return replay.apply(state.commit(), encodeInternalTransactions(outcome.internalTransactions));
  }
}

/** Says that a sink will execute blocks again, and from which height. */
export function executionNote(ledger: Ledger, sink: SinkOptions): string | undefined {
  if (!needsChanges(sink) || sink.finality === 'applied') return undefined;
  const first = Math.max(sink.from ?? 0, 1);
  const entry = ledger.block(first);
  if (entry === undefined || ledger.changes(entry.seq) !== undefined) return undefined;
  const last = Math.min(sink.to ?? Number.POSITIVE_INFINITY, ledger.keptHeight);
  return (
    `what block ${first} changed is no longer kept (tronicle.history.retention): blocks 0 to ${last} are executed again, ` +
    'from genesis on, in a state of their own'
  );
}

/** How sinks of a data folder get changes below the kept height. States that a killed process left go away. */
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
