import type { Ledger, LedgerOptions } from '../../../projections/ledger/ledger.js';
import { type CloseLimits, Forwarder, type ForwarderOptions } from '../../../streams/forwarding/forwarder.js';
import type { SinkStatus } from '../../../streams/forwarding/sink-status.js';
import type { SinkOptions } from '../../../streams/sinks/sink-kinds.js';
import { SupervisedWorker } from '../../workers/supervised-worker.js';
import { isCompiled, WorkerHandle } from '../../workers/worker-handle.js';
import type { PastChangesSource } from '../executed-changes/executed-changes.js';
import type { ForwarderData, SinkCall } from './serve-forwarder.js';

export interface ForwarderThreadOptions
  extends Omit<ForwarderOptions, 'openPastChanges' | 'sinks'>,
    Pick<LedgerOptions, 'retention' | 'checkpointVersion'> {
  /** Executors of row changes that the log no longer contains. */
  readonly pastChanges?: PastChangesSource;
  /** The writer's ledger. */
  readonly ledger: Ledger;
}

/** Additional time in ms for closing the sinks, after the time limits of `close` have passed. */
const CLOSE_MS = 2000;
const FILE = new URL('./forwarder-worker.js', import.meta.url);
const NAME = 'forwarding thread';

type ForwarderWorker = WorkerHandle<never, SinkCall, SinkStatus>;

/**
 * Runs the forwarder in a separate thread over a read-only ledger, so that sinks do not slow down the main thread. In
 * tests from sources, there is no compiled worker, and the forwarder runs in the calling thread.
 */
export class ForwarderThread {
  private readonly options: ForwarderThreadOptions;
  private readonly here: Forwarder | undefined;
  private readonly supervised: SupervisedWorker<ForwarderWorker> | undefined;
  /** Running sinks by name. A restarted thread starts these sinks again. */
  private readonly sinks = new Map<string, SinkOptions>();

  constructor(options: ForwarderThreadOptions) {
    const { log, pastChanges } = options;
    this.options = options;
    if (isCompiled(FILE)) {
      this.supervised = new SupervisedWorker({ name: NAME, log, start: (onExit) => this.run(onExit) });
      this.supervised.begin();
    } else {
      this.here = new Forwarder({ ...options, sinks: [], ...(pastChanges && { openPastChanges: pastChanges.open }) });
    }
  }

  /** Starts a sink at its stored cursor. */
  startSink(sink: SinkOptions): void {
    this.sinks.set(sink.name, sink);
    this.here?.start(sink);
    // If the thread ends before this request arrives, the restarted thread starts the sink.
    this.supervised?.worker?.link.request({ kind: 'start', sink }).catch(() => undefined);
  }

  /** Stops a sink. Keeps its stored cursor. */
  async stopSink(name: string): Promise<void> {
    this.sinks.delete(name);
    await this.here?.stop(name);
    // Ignores an end of the thread, because the sink has then stopped too.
    await this.supervised?.worker?.link.request({ kind: 'stop', name }).catch(() => undefined);
  }

  /**
   * Closes the sinks. Resolves when they have forwarded the whole log, or at the time limit. Unfinished sinks resume at
   * the next start.
   */
  async close(limits: CloseLimits): Promise<void> {
    await this.here?.close(limits);
    await this.supervised?.close(limits.maxMs + CLOSE_MS, limits);
  }

  private run(onExit: () => void): ForwarderWorker {
    const { ledger, log, dataDir, addressPrefix, blackhole, parsesContracts, laterTriggers } = this.options;
    const { retention, checkpointVersion } = this.options;
    const sinks = [...this.sinks.values()];
    const { level } = log;
    const data: ForwarderData = {
      ...{ dataDir, sinks, addressPrefix, blackhole, parsesContracts, laterTriggers, retention, checkpointVersion },
      level,
      pastChanges: this.options.pastChanges?.thread,
      notifier: ledger.notifierBuffer,
    };
    const onNotification = (status: SinkStatus): void => this.options.onStatus?.(status);
    return new WorkerHandle({ file: FILE, data, name: NAME, log, onNotification, onExit });
  }
}
