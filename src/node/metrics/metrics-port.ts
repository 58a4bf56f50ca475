import type { MessagePort } from 'node:worker_threads';
import type { ReplicaStatus } from '../../api/graphql/status.js';
import { NO_STATISTICS, type NodeStatistics } from '../../api/metrics/chain-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { SinkStatus } from '../../streams/forward.js';
import type { MainMetrics } from './main-metrics.js';

/** Each scrape asks once. */
interface Question {
  readonly ticket: number;
}

interface Answer extends Question {
  readonly snapshot: MetricSnapshot;
}

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
const PATIENCE_MS = 5000;

/** Answers questions of another thread from the counters of this one. */
export function answerMetrics(port: MessagePort, metrics: MainMetrics): void {
  port.on('message', async ({ ticket }: Question) => {
    port.postMessage({ ticket, snapshot: await metrics.snapshot() } satisfies Answer);
  });
  let told: ProgressNews = { sinks: [], replica: undefined };
  const tell = (): void => {
    const news: ProgressNews = { sinks: metrics.sinks(), replica: metrics.replica() };
    if (isSame(news, told)) return;
    told = news;
    port.postMessage(news);
  };
  const tellStatistics = (): void => port.postMessage({ statistics: metrics.statistics() } satisfies StatisticsNews);
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
  private readonly asked = new Map<number, (answer: Answer) => void>();
  private known: NodeStatistics = NO_STATISTICS;
  private progress: ProgressNews = { sinks: [], replica: undefined };
  private tickets = 0;

  constructor(port: MessagePort) {
    this.port = port;
    port.on('message', (told: Answer | ProgressNews | StatisticsNews) => {
      if ('sinks' in told) this.progress = told;
      else if ('statistics' in told) this.known = told.statistics;
      else this.asked.get(told.ticket)?.(told);
    });
    port.unref();
  }

  async snapshot(): Promise<MetricSnapshot> {
    return (await this.ask())?.snapshot ?? [];
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

  private ask(): Promise<Answer | undefined> {
    const ticket = ++this.tickets;
    return new Promise((resolve) => {
      const end = (answer: Answer | undefined): void => {
        clearTimeout(timer);
        this.asked.delete(ticket);
        resolve(answer);
      };
      const timer = setTimeout(() => end(undefined), PATIENCE_MS);
      this.asked.set(ticket, end);
      this.port.postMessage({ ticket } satisfies Question);
    });
  }
}
