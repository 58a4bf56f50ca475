import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Ledger, LedgerOptions } from '../../../projections/ledger/ledger.js';
import type { PastChangesSource } from '../../../streams/follow/past-changes.js';
import type { SinkStatus } from '../../../streams/forward.js';
import { Forwarder, type ForwarderOptions, type Patience } from '../../../streams/forwarder.js';
import type { SinkOptions } from '../../../streams/sinks/sink-options.js';
import { relayLine } from '../relay-line.js';
import type { ForwarderData, ForwarderMessage } from './serve-forwarder.js';

export interface ForwarderThreadOptions
  extends Omit<ForwarderOptions, 'openPastChanges'>,
    Pick<LedgerOptions, 'retention' | 'checkpointVersion'> {
  /** How changes below the kept height come. */
  readonly pastChanges?: PastChangesSource;
  /** The writer's. */
  readonly ledger: Ledger;
}

/** ms until a thread that ended with an error is started again. */
const RESTART_MS = 1000;

/**
 * The forwarder in a thread of its own over a read-only ledger, so that sinks cost the deciding thread nothing; in this thread where
 * no compiled worker lies beside this file (tests from sources).
 */
export class ForwarderThread {
  /** Newest status of every sink, by name. */
  readonly statuses = new Map<string, SinkStatus>();
  private readonly options: ForwarderThreadOptions;
  private readonly here: Forwarder | undefined;
  private worker: Worker | undefined;
  private isClosing = false;
  /** Those that run, by name: a thread that has to be started again starts them. */
  private readonly sinks: Map<string, SinkOptions>;

  constructor(options: ForwarderThreadOptions) {
    const note = (status: SinkStatus): void => {
      this.statuses.set(status.name, status);
      options.onStatus?.(status);
    };
    this.options = { ...options, onStatus: note };
    this.sinks = new Map(options.sinks.map((sink) => [sink.name, sink]));
    const file = new URL('./forwarder-worker.js', import.meta.url);
    if (existsSync(fileURLToPath(file))) this.start(file);
    else {
      const { pastChanges } = options;
      this.here = new Forwarder({ ...this.options, ...(pastChanges && { openPastChanges: pastChanges.open }) });
    }
  }

  /** Starts a sink, at the place where it stopped the last time. */
  startSink(sink: SinkOptions): void {
    this.sinks.set(sink.name, sink);
    this.here?.start(sink);
    this.worker?.postMessage({ start: sink } satisfies ForwarderMessage);
  }

  /** Ends a sink; what it has passed on stays known. */
  async stopSink(name: string): Promise<void> {
    this.sinks.delete(name);
    await this.here?.stop(name);
    const { worker } = this;
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      const done = ({ stopped }: { stopped?: string }): void => {
        if (stopped !== name) return;
        worker.off('message', done);
        resolve();
      };
      worker.on('message', done);
      worker.once('exit', () => resolve());
      worker.postMessage({ stop: name } satisfies ForwarderMessage);
    });
  }

  /** Ends when all that is in the log has been passed on, or when the patience is over: the rest follows at the next start. */
  async close(patience: Patience): Promise<void> {
    this.isClosing = true;
    await this.here?.close(patience);
    const { worker } = this;
    if (worker === undefined) return;
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ close: patience } satisfies ForwarderMessage);
    const timer = setTimeout(() => void worker.terminate(), Math.min(patience.maxMs + CLOSE_MS, TIMER_MS_MAX));
    await exit;
    clearTimeout(timer);
  }

  private start(file: URL): void {
    const { ledger, log, dataDir, addressPrefix, parsesContracts, laterTriggers, retention, checkpointVersion } =
      this.options;
    const sinks = [...this.sinks.values()];
    const { level } = log;
    const workerData: ForwarderData = {
      ...{ dataDir, sinks, addressPrefix, parsesContracts, laterTriggers, retention, checkpointVersion, level },
      pastChanges: this.options.pastChanges?.thread,
      bell: ledger.bellBuffer,
    };
    const worker = new Worker(file, { workerData });
    this.worker = worker;
    worker.on('message', ({ status, line }: { status?: SinkStatus; line?: string }) => {
      if (status !== undefined) this.options.onStatus?.(status);
      if (line !== undefined) relayLine(log, line);
    });
    worker.on('error', (error) => log.error({ err: error }, 'the forwarding thread failed'));
    worker.once('exit', () => {
      this.worker = undefined;
      if (this.isClosing) return;
      log.error('the forwarding thread ended, starting it again');
      setTimeout(() => !this.isClosing && this.start(file), RESTART_MS).unref();
    });
  }
}

/** ms that sinks have to close in, beside the patience. */
const CLOSE_MS = 2000;
const TIMER_MS_MAX = 2 ** 31 - 1;
