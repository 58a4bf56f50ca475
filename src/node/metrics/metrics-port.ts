import type { MessagePort } from 'node:worker_threads';
import type { ReplicaStatus } from '../../api/graphql/node-progress.js';
import type { ApiTraffic } from '../../api/metrics/api-metrics.js';
import { NO_STATISTICS, type NodeStatistics } from '../../api/metrics/chain-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SinkStatus } from '../../streams/forwarding/sink-status.js';
import { answerWithin } from '../workers/answer-within.js';
import { ThreadChannel } from '../workers/thread-channel.js';
import type { MainMetrics } from './main-metrics.js';

/** Statistics of the main thread. Sent when the port is connected, then every second. */
interface StatisticsUpdate {
  readonly statistics: NodeStatistics;
  /** Last reported traffic of each API thread except the receiver. */
  readonly otherTraffic: readonly ApiTraffic[];
}

/** Status of sinks and replica. Sent when the port is connected, then after each change. */
interface ProgressUpdate {
  readonly sinks: readonly SinkStatus[];
  readonly replica: ReplicaStatus | undefined;
  readonly storageProblem: string | undefined;
}

const NO_PROGRESS_YET: ProgressUpdate = { sinks: [], replica: undefined, storageProblem: undefined };
/** Interval in ms at which the main thread checks the progress for changes. */
const PROGRESS_MS = 200;
/** Interval of statistics messages, in ms. */
const STATISTICS_MS = 1000;
/**
 * Time limit in ms for the counters of a thread. If the thread does not respond in time, the scraped page omits the
 * counters of this thread.
 */
export const SILENCE_MS = 5000;

/** Message that requests the counters, once per scrape. */
const SNAPSHOT = 'snapshot';

/**
 * Responds to requests of an API thread with the counters of the main thread.
 * @param otherTraffic returns the last reported traffic of each API thread except the one that sends the requests
 */
export function answerMetrics(
  port: MessagePort,
  metrics: MainMetrics,
  otherTraffic: () => readonly ApiTraffic[],
): void {
  const link = new ThreadChannel<ProgressUpdate | StatisticsUpdate, never, never, typeof SNAPSHOT>(port, {
    answer: () => metrics.snapshot(),
  });
  port.on('message', (message) => link.receive(message));
  let last: ProgressUpdate = NO_PROGRESS_YET;
  const sendProgress = (): void => {
    const update: ProgressUpdate = {
      sinks: metrics.sinks(),
      replica: metrics.replica(),
      storageProblem: metrics.storageProblem(),
    };
    if (isSame(update, last)) return;
    last = update;
    link.send(update);
  };
  const sendStatistics = (): void => link.send({ statistics: metrics.statistics(), otherTraffic: otherTraffic() });
  sendProgress();
  sendStatistics();
  const timers = [setInterval(sendProgress, PROGRESS_MS), setInterval(sendStatistics, STATISTICS_MS)];
  for (const timer of timers) timer.unref();
  port.once('close', () => {
    for (const timer of timers) clearInterval(timer);
  });
  port.unref();
}

function isSame({ sinks, replica, storageProblem }: ProgressUpdate, previous: ProgressUpdate): boolean {
  return (
    storageProblem === previous.storageProblem &&
    replica?.lagRecords === previous.replica?.lagRecords &&
    replica?.lagSeconds === previous.replica?.lagSeconds &&
    replica?.isConnected === previous.replica?.isConnected &&
    // A changed status is a new object, so the code compares references.
    sinks.length === previous.sinks.length &&
    sinks.every((status, at) => status === previous.sinks[at])
  );
}

/** Counters of the main thread, as another thread reads them over a port. */
export class RemoteMetrics implements MainMetrics {
  private readonly port: MessagePort;
  private readonly link: ThreadChannel<never, typeof SNAPSHOT, ProgressUpdate | StatisticsUpdate>;
  private known: StatisticsUpdate = { statistics: NO_STATISTICS, otherTraffic: [] };
  private progress: ProgressUpdate = NO_PROGRESS_YET;

  constructor(port: MessagePort) {
    this.port = port;
    this.link = new ThreadChannel(port, {
      onNotification: (update) => {
        if ('sinks' in update) this.progress = update;
        else this.known = update;
      },
    });
    port.on('message', (message) => this.link.receive(message));
    port.unref();
  }

  async snapshot(): Promise<MetricSnapshot> {
    return answerWithin(SILENCE_MS, this.link.request<MetricSnapshot>(SNAPSHOT), []);
  }

  statistics(): NodeStatistics {
    return this.known.statistics;
  }

  /** Returns the last reported traffic of each API thread except this one. */
  otherTraffic(): readonly ApiTraffic[] {
    return this.known.otherTraffic;
  }

  sinks(): readonly SinkStatus[] {
    return this.progress.sinks;
  }

  replica(): ReplicaStatus | undefined {
    return this.progress.replica;
  }

  storageProblem(): string | undefined {
    return this.progress.storageProblem;
  }

  close(): void {
    this.port.close();
  }
}
