import type { Logger } from 'pino';
import { type OperatorAbis, openOperatorAbis } from '../../encoding/abi/operator-abis.js';
import { errorText } from '../../primitives/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { ChangesReader, type PastChanges } from '../follow/past-changes.js';
import { AbiRegistry } from '../records/abi-registry.js';
import { needsAbiRegistry } from '../records/event-options.js';
import { RecordMaker } from '../records/record-maker.js';
import { CheckpointFile, checkpointFileOf } from '../sinks/checkpoint-file.js';
import { createSink, type SinkOptions } from '../sinks/sink-kinds.js';
import { forward } from './forward.js';
import type { SinkStatus } from './sink-status.js';

export interface ForwarderOptions {
  /** Ledger to read. It may be the writer's ledger, or a reader in another thread. */
  readonly ledger: Ledger;
  readonly dataDir: string;
  readonly sinks: readonly SinkOptions[];
  readonly addressPrefix: number;
  /** Address (hex) of the black hole account. */
  readonly blackhole: string;
  /** Value of `event.subscribe.contractParse`. */
  readonly parsesContracts: boolean;
  /**
   * Value of `laterTriggers` of the emulated release: true for releases whose triggers report reverted blocks.
   */
  readonly laterTriggers: boolean;
  /**
   * Starts the execution of blocks from genesis, for a sink that needs pruned row changes. Undefined if pruned changes
   * are not available.
   */
  readonly openPastChanges?: (sink: string) => PastChanges;
  readonly log: Logger;
  readonly onStatus?: (status: SinkStatus) => void;
}

/** Time limits for closing sinks. */
export interface CloseLimits {
  /** Maximum time without progress of any sink, in ms. */
  readonly quietMs: number;
  /** Maximum total time, in ms. */
  readonly maxMs: number;
}

interface Running {
  /** An abort of this controller ends the sink immediately. */
  readonly stop: AbortController;
  readonly end: Promise<void>;
}

/** Forwards blocks to all sinks. Each sink has its own cursor and speed. Sinks can be added and removed at run time. */
export class Forwarder {
  private readonly options: ForwarderOptions;
  private readonly running = new Map<string, Running>();
  private readonly drainage = new AbortController();
  private book: AbiRegistry | undefined;
  private readonly abis: OperatorAbis;
  private lastProgress = 0;

  constructor(options: ForwarderOptions) {
    this.options = options;
    this.abis = openOperatorAbis(options);
    for (const sink of options.sinks) this.start(sink);
  }

  /** Starts a sink at its cursor. No sink of this name may be running. */
  start(sink: SinkOptions): void {
    const stop = new AbortController();
    const changes = this.changesFor(sink);
    const end = this.run(sink, changes, stop.signal).finally(() => changes.close());
    this.running.set(sink.name, { stop, end });
  }

  /** Runs a sink until it ends. If the sink cannot be created, sets its status to `stopped`. */
  private async run(options: SinkOptions, changes: ChangesReader, signal: AbortSignal): Promise<void> {
    const { ledger, dataDir, log } = this.options;
    const { name } = options;
    const checkpointFile = checkpointFileOf(dataDir, name);
    const onStatus = (status: SinkStatus): void => {
      this.lastProgress = status.state === 'forwarding' ? Date.now() : this.lastProgress;
      if (status.state === 'done') new CheckpointFile(checkpointFile).finish();
      this.options.onStatus?.(status);
    };
    try {
      const maker = this.makerFor(options, changes);
      const sink = await createSink(options, { dataDir, checkpointFile, ledger, log });
      const drain = this.drainage.signal;
      await forward({ ledger, sink, extent: options, maker, log, signal, drain, onStatus });
    } catch (error) {
      log.error({ sink: name, err: error }, 'sink stopped');
      const problem = errorText(error);
      onStatus({ name, state: 'stopped', number: -1, seq: -1, records: 0, problem });
    }
  }

  private makerFor(sink: SinkOptions, changes: ChangesReader): RecordMaker {
    const { ledger, dataDir, addressPrefix, blackhole, parsesContracts, laterTriggers } = this.options;
    if (needsAbiRegistry(sink)) this.book ??= new AbiRegistry(ledger, dataDir);
    const { book, abis } = this;
    const form = { addressPrefix, blackhole, parsesContracts, laterTriggers };
    return new RecordMaker({ ledger, sink, changes, book, abis, ...form });
  }

  /**
   * Returns the reader of row changes for a sink. A sink that reports reorgs gets no pruned changes, because only
   * solidified canonical blocks can be executed again.
   */
  private changesFor({ name, finality }: SinkOptions): ChangesReader {
    const { ledger, openPastChanges, log } = this.options;
    if (openPastChanges === undefined || finality === 'applied') return new ChangesReader(ledger);
    return new ChangesReader(ledger, () => {
      log.info(
        { sink: name, keptHeight: ledger.keptHeight },
        'row changes are pruned: executing blocks from genesis again for the sink',
      );
      return openPastChanges(name);
    });
  }

  /** Stops a sink. Its cursor remains stored, so the sink can be started again. */
  async stop(name: string): Promise<void> {
    const sink = this.running.get(name);
    sink?.stop.abort();
    await sink?.end;
    // Removes the sink only now, so that a concurrent `close` also waits for this sink.
    if (this.running.get(name) === sink) this.running.delete(name);
  }

  /**
   * Ends all sinks. Resolves when each sink has forwarded the whole log, or after a time limit. An unfinished sink
   * resumes at the next start of the node.
   */
  async close({ quietMs, maxMs }: CloseLimits): Promise<void> {
    this.drainage.abort();
    const end = Date.now() + maxMs;
    this.lastProgress = Date.now();
    const timer = setInterval(() => {
      if (Date.now() <= end && Date.now() - this.lastProgress <= quietMs) return;
      for (const { stop } of this.running.values()) stop.abort();
    }, CHECK_MS);
    await Promise.all([...this.running.values()].map((sink) => sink.end));
    clearInterval(timer);
    await this.book?.close();
  }
}

/** Interval of checks of the time limits, in ms. */
const CHECK_MS = 50;
