import type { Ledger, LedgerOptions } from '../../../projections/ledger/ledger.js';
import type { SinkStatus } from '../../../streams/forwarding/forward.js';
import { type CloseLimits, Forwarder, type ForwarderOptions } from '../../../streams/forwarding/forwarder.js';
import type { SinkOptions } from '../../../streams/sinks/sink-kinds.js';
import { SupervisedWorker } from '../../workers/supervised-worker.js';
import { isCompiled, WorkerHandle } from '../../workers/worker-handle.js';
import type { PastChangesSource } from '../executed-changes/executed-changes.js';
import type { ForwarderData, SinkCall } from './serve-forwarder.js';

export interface ForwarderThreadOptions
  extends Omit<ForwarderOptions, 'openPastChanges' | 'sinks'>,
    Pick<LedgerOptions, 'retention' | 'checkpointVersion'> {
  /** How changes below the kept height come. */
  readonly pastChanges?: PastChangesSource;
  /** The writer's. */
  readonly ledger: Ledger;
}

/** ms that sinks have to close in, beside the limits of the call. */
const CLOSE_MS = 2000;
const FILE = new URL('./forwarder-worker.js', import.meta.url);
const NAME = 'the forwarding thread';

type ForwarderWorker = WorkerHandle<never, SinkCall, SinkStatus>;

/**
 * The forwarder in a thread of its own over a read-only ledger, so that sinks cost the deciding thread nothing; in this
 * thread where no compiled worker lies beside this file (tests from sources).
 */
export class ForwarderThread {
  private readonly options: ForwarderThreadOptions;
  private readonly here: Forwarder | undefined;
  private readonly kept: SupervisedWorker<ForwarderWorker> | undefined;
  /** Those that run, by name: a thread that has to be started again starts them. */
  private readonly sinks = new Map<string, SinkOptions>();

  constructor(options: ForwarderThreadOptions) {
    const { log, pastChanges } = options;
    this.options = options;
    if (isCompiled(FILE)) {
      this.kept = new SupervisedWorker({ name: NAME, log, start: (onExit) => this.run(onExit) });
      this.kept.begin();
    } else {
      this.here = new Forwarder({ ...options, sinks: [], ...(pastChanges && { openPastChanges: pastChanges.open }) });
    }
  }

  /** Starts a sink, at the place where it stopped the last time. */
  startSink(sink: SinkOptions): void {
    this.sinks.set(sink.name, sink);
    this.here?.start(sink);
    // A thread that ends before it has heard of it is started with it.
    this.kept?.worker?.link.request({ kind: 'start', sink }).catch(() => undefined);
  }

  /** Ends a sink; what it has passed on stays known. */
  async stopSink(name: string): Promise<void> {
    this.sinks.delete(name);
    await this.here?.stop(name);
    // A thread that ends has stopped it too.
    await this.kept?.worker?.link.request({ kind: 'stop', name }).catch(() => undefined);
  }

  /**
   * Ends when all that is in the log has been passed on, or when its time is over: the rest follows at the next start.
   */
  async close(limits: CloseLimits): Promise<void> {
    await this.here?.close(limits);
    await this.kept?.close(limits.maxMs + CLOSE_MS, limits);
  }

  private run(onExit: () => void): ForwarderWorker {
    const { ledger, log, dataDir, addressPrefix, parsesContracts, laterTriggers, retention, checkpointVersion } =
      this.options;
    const sinks = [...this.sinks.values()];
    const { level } = log;
    const data: ForwarderData = {
      ...{ dataDir, sinks, addressPrefix, parsesContracts, laterTriggers, retention, checkpointVersion, level },
      pastChanges: this.options.pastChanges?.thread,
      bell: ledger.bellBuffer,
    };
    const onNews = (status: SinkStatus): void => this.options.onStatus?.(status);
    return new WorkerHandle({ file: FILE, data, name: NAME, log, onNews, onExit });
  }
}
