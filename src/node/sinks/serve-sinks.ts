import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { apiRelease } from '../../api/releases/releases.js';
import type { Chain } from '../../chain/chain.js';
import type { NodeConfig } from '../../config/load-config.js';
import { CATCH_UP_PAUSE_MS } from '../../streams/forwarding/catch-up-throttle.js';
import type { CloseLimits } from '../../streams/forwarding/forwarder.js';
import { retainedSeq } from '../../streams/forwarding/retained-seq.js';
import { lagInBlocks, type SinkStatus } from '../../streams/forwarding/sink-status.js';
import { CheckpointFile, checkpointFileOf } from '../../streams/sinks/checkpoint-file.js';
import type { SinkOptions } from '../../streams/sinks/sink-kinds.js';
import { ledgerOptions } from '../chain-config.js';
import type { Service, TronicleNode } from '../lifecycle/node.js';
import { executionNote, pastChangesOf } from '../threads/executed-changes/executed-changes.js';
import type { ForwarderThread } from '../threads/forwarder/forwarder-thread.js';
import { eventSinks } from './event-sinks.js';
import { SinkControl, type SinkRunner } from './sink-control.js';
import { SinkRegistry } from './sink-registry.js';

interface ServeSinksOptions {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly chain: Chain;
  readonly log: Logger;
  /**
   * Time limits of a close. During this time, the sinks forward the rest of the log. A sink that does not reach the
   * end resumes at the next start.
   */
  readonly closeLimits: CloseLimits;
  /**
   * True if many blocks will arrive at once, as in an import. Sinks then start after a delay, or when they are closed.
   */
  readonly isCatchUp?: boolean;
  /** Called after every change of a sink's status, for metrics. */
  readonly onStatus?: (status: SinkStatus) => void;
}

export interface SinkService extends Service {
  /** Newest status of every sink, by name. */
  readonly statuses: ReadonlyMap<string, SinkStatus>;
  readonly control: SinkControl;
}

/** Time limits for closing sinks when the node stops, in ms. A node must stop within ten seconds. */
export const NODE_CLOSE_LIMITS: CloseLimits = { quietMs: 1000, maxMs: 4000 };
/**
 * Time limits for closing sinks after an import, in ms. The import waits until the sinks have forwarded the imported
 * blocks, unless a sink makes no progress.
 */
export const IMPORT_CLOSE_LIMITS: CloseLimits = { quietMs: 20_000, maxMs: Number.MAX_SAFE_INTEGER };

/** Starts the configured sinks of a running node, and closes them with the node. */
export function addSinks(node: TronicleNode): SinkService {
  const { config, dataDir, chain, log } = node;
  const sinks = serveSinks({ config, dataDir, chain, log, closeLimits: NODE_CLOSE_LIMITS });
  node.add(sinks);
  return sinks;
}

/** Starts the configured sinks (`tronicle.sinks`, `event.subscribe`), including the changes made at run time. */
export function serveSinks(options: ServeSinksOptions): SinkService {
  const { config, dataDir, chain, log, closeLimits, isCatchUp = false, onStatus } = options;
  const registry = registryOf(options);
  const runner = new LazyForwarder({ config, dataDir, chain, log, isCatchUp }, (status) => {
    control.noteStatus(status);
    onStatus?.(status);
  });
  const control = new SinkControl(registry, runner, log);
  for (const { options, isPaused } of registry.all()) if (!isPaused) runner.startSink(options);
  return {
    statuses: runner.statuses,
    control,
    close: async () => {
      try {
        await chain.ledger.flush();
      } finally {
        await runner.close(closeLimits);
      }
    },
  };
}

/**
 * Prevents the deletion of log entries that the sinks of this folder have not forwarded yet. Does not open the sinks.
 * Ignores a sink that has never forwarded from this folder.
 */
export function retainForSinks(options: Pick<ServeSinksOptions, 'config' | 'dataDir' | 'chain' | 'log'>): void {
  const { dataDir, chain } = options;
  for (const { options: sink, isPaused } of registryOf(options).all()) {
    const checkpoint = new CheckpointFile(checkpointFileOf(dataDir, sink.name)).read();
    if (!isPaused && checkpoint !== undefined)
      chain.ledger.retainChanges(holder(sink.name), retainedSeq(chain.ledger, checkpoint));
  }
}

function registryOf({
  config,
  dataDir,
  chain,
  log,
}: Pick<ServeSinksOptions, 'config' | 'dataDir' | 'chain' | 'log'>): SinkRegistry {
  const configured = [...config.tronicle.sinks, ...eventSinks(config, chain.ledger.position.solidifiedNumber, log)];
  return new SinkRegistry(configured, { dataDir, allowed: config.tronicle.admin.sinkFolders }, config);
}

/**
 * Starts sinks in the forwarder thread. Loads and starts that thread with the first sink, because most nodes have no
 * sink.
 */
class LazyForwarder implements SinkRunner {
  readonly statuses = new Map<string, SinkStatus>();
  private readonly options: Omit<ServeSinksOptions, 'closeLimits'>;
  private readonly onStatus: (status: SinkStatus) => void;
  private thread: Promise<ForwarderThread> | undefined;
  /** Signal that ends the delay of a catch-up, so that the sinks start immediately. */
  private readonly startNow = new AbortController();

  constructor(options: Omit<ServeSinksOptions, 'closeLimits'>, onStatus: (status: SinkStatus) => void) {
    this.options = options;
    this.onStatus = onStatus;
  }

  lagOf(status: SinkStatus): number {
    const { position, startNumber } = this.options.chain.ledger;
    return lagInBlocks(status, position.headNumber, startNumber);
  }

  startSink(sink: SinkOptions): void {
    const { dataDir, chain } = this.options;
    // The ledger must retain the row changes of blocks that the sink has not forwarded, because only the row changes
    // contain internal transactions.
    const checkpoint =
      sink.repeats && sink.from !== undefined
        ? chain.ledger.block(sink.from - 1)
        : new CheckpointFile(checkpointFileOf(dataDir, sink.name)).read();
    chain.ledger.retainChanges(
      holder(sink.name),
      checkpoint === undefined ? -1 : retainedSeq(chain.ledger, checkpoint),
    );
    this.thread ??= this.startThread();
    void this.thread.then((thread) => thread.startSink(sink));
  }

  private async startThread(): Promise<ForwarderThread> {
    const { dataDir, chain, config, log, isCatchUp } = this.options;
    if (isCatchUp) await sleep(CATCH_UP_PAUSE_MS, undefined, { signal: this.startNow.signal }).catch(() => undefined);
    const { ForwarderThread } = await import('../threads/forwarder/forwarder-thread.js');
    return new ForwarderThread({
      ledger: chain.ledger,
      dataDir,
      addressPrefix: config.addressPrefix,
      blackhole: chain.state.rules.blackhole,
      parsesContracts: config.contractParse,
      laterTriggers: apiRelease(config.tronicle.release).laterTriggers,
      ...ledgerOptions(config),
      pastChanges: pastChangesOf(config, dataDir),
      log,
      onStatus: (status) => this.note(status),
    });
  }

  async stopSink(name: string): Promise<void> {
    this.startNow.abort();
    const thread = await this.thread;
    await thread?.stopSink(name);
    this.options.chain.ledger.retainChanges(holder(name), undefined);
  }

  removeSink(name: string): void {
    this.statuses.delete(name);
  }

  noteOn(sink: SinkOptions): string | undefined {
    return executionNote(this.options.chain.ledger, sink);
  }

  async close(closeLimits: CloseLimits): Promise<void> {
    this.startNow.abort();
    const thread = await this.thread;
    await thread?.close(closeLimits);
  }

  private note(status: SinkStatus): void {
    const { name, state } = status;
    this.statuses.set(name, status);
    const { ledger } = this.options.chain;
    if (state === 'forwarding') ledger.retainChanges(holder(name), retainedSeq(ledger, status));
    if (state === 'done') ledger.retainChanges(holder(name), undefined);
    this.onStatus(status);
  }
}

function holder(name: string): string {
  return `sink ${name}`;
}
