import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { ReplicaStatus } from '../../api/graphql/status.js';
import { NO_STATISTICS, type NodeStatistics } from '../../api/metrics/chain-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SinkStatus } from '../../streams/forwarding/forward.js';
import { ThreadChannel } from '../workers/thread-channel.js';
import type { MainMetrics } from './main-metrics.js';

/** Told unasked, at once and each second. */
interface StatisticsNews {
  readonly statistics: NodeStatistics;
}

/** Told unasked, at once and when something of it has changed. */
interface ProgressNews {
  readonly sinks: readonly SinkStatus[];
  readonly replica: ReplicaStatus | undefined;
}

/** ms between two looks at what is told unasked. */
const PROGRESS_MS = 200;
/** ms between two tellings of statistics. */
const STATISTICS_MS = 1000;
/** A deciding thread that does not answer within this time, ms, is shown without its counters. */
const SILENCE_MS = 5000;

/** Each scrape asks once. */
const SNAPSHOT = 'snapshot';

/** Answers questions of another thread from the counters of this one. */
export function answerMetrics(port: MessagePort, metrics: MainMetrics): void {
  const link = new ThreadChannel<ProgressNews | StatisticsNews, never, never, typeof SNAPSHOT>(port, {
    answer: () => metrics.snapshot(),
  });
  port.on('message', (message) => link.take(message));
  let told: ProgressNews = { sinks: [], replica: undefined };
  const tell = (): void => {
    const news: ProgressNews = { sinks: metrics.sinks(), replica: metrics.replica() };
    if (isSame(news, told)) return;
    told = news;
    link.send(news);
  };
  const tellStatistics = (): void => link.send({ statistics: metrics.statistics() });
  tell();
  tellStatistics();
  const timers = [setInterval(tell, PROGRESS_MS), setInterval(tellStatistics, STATISTICS_MS)];
  for (const timer of timers) timer.unref();
  port.once('close', () => {
    for (const timer of timers) clearInterval(timer);
  });
  port.unref();
}

function isSame({ sinks, replica }: ProgressNews, told: ProgressNews): boolean {
  return (
    replica?.lagRecords === told.replica?.lagRecords &&
    replica?.lagSeconds === told.replica?.lagSeconds &&
    replica?.isConnected === told.replica?.isConnected &&
    // Each status is an object of its own, made when something changed.
    sinks.length === told.sinks.length &&
    sinks.every((status, at) => status === told.sinks[at])
  );
}

/** Counters of the deciding thread, asked over a port. */
export class RemoteMetrics implements MainMetrics {
  private readonly port: MessagePort;
  private readonly link: ThreadChannel<never, typeof SNAPSHOT, ProgressNews | StatisticsNews>;
  private known: NodeStatistics = NO_STATISTICS;
  private progress: ProgressNews = { sinks: [], replica: undefined };

  constructor(port: MessagePort) {
    this.port = port;
    this.link = new ThreadChannel(port, {
      onNews: (told) => {
        if ('sinks' in told) this.progress = told;
        else this.known = told.statistics;
      },
    });
    port.on('message', (message) => this.link.take(message));
    port.unref();
  }

  async snapshot(): Promise<MetricSnapshot> {
    const silence = new AbortController();
    const nothing = sleep(SILENCE_MS, [], { ref: false, signal: silence.signal });
    try {
      return await Promise.race([this.link.request<MetricSnapshot>(SNAPSHOT), nothing]);
    } finally {
      silence.abort();
      nothing.catch(() => undefined);
    }
  }

  statistics(): NodeStatistics {
    return this.known;
  }

  sinks(): readonly SinkStatus[] {
    return this.progress.sinks;
  }

  replica(): ReplicaStatus | undefined {
    return this.progress.replica;
  }

  close(): void {
    this.port.close();
  }
}
