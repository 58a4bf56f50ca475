import type { MessagePort } from 'node:worker_threads';
import { type ChainStatistics, NO_STATISTICS } from '../api/metrics/chain-metrics.js';
import type { MetricSnapshot } from '../api/metrics/metric-set.js';
import type { SinkStatus } from '../api/streams/forward.js';
import type { MainMetrics } from './main-metrics.js';

/** Each scrape asks once. */
interface Question {
  readonly ticket: number;
}

interface Answer extends Question {
  readonly snapshot: MetricSnapshot;
  readonly statistics: ChainStatistics;
}

/** Told unasked when it has changed. */
interface SinkNews {
  readonly sinks: readonly SinkStatus[];
}

/** ms between two looks at the sinks. */
const SINKS_MS = 200;
/** The statistics that a server has may be this old, ms. */
const STATISTICS_MS = 1000;
/** A deciding thread that does not answer within this time, ms, is shown without its counters. */
const PATIENCE_MS = 5000;

/** Answers questions of another thread from the counters of this one. */
export function answerMetrics(port: MessagePort, metrics: MainMetrics): void {
  port.on('message', async ({ ticket }: Question) => {
    const answer: Answer = { ticket, snapshot: await metrics.snapshot(), statistics: metrics.statistics() };
    port.postMessage(answer);
  });
  let told: readonly SinkStatus[] = [];
  const timer = setInterval(() => {
    const sinks = metrics.sinks();
    // Each status is an object of its own, made when something changed.
    if (sinks.length === told.length && sinks.every((status, at) => status === told[at])) return;
    told = sinks;
    port.postMessage({ sinks } satisfies SinkNews);
  }, SINKS_MS);
  timer.unref();
  port.once('close', () => clearInterval(timer));
  port.unref();
}

/** Counters of the deciding thread, asked over a port. */
export class RemoteMetrics implements MainMetrics {
  private readonly port: MessagePort;
  private readonly asked = new Map<number, (answer: Answer) => void>();
  private readonly timer: NodeJS.Timeout;
  private known: ChainStatistics = NO_STATISTICS;
  private knownSinks: readonly SinkStatus[] = [];
  private tickets = 0;

  /** @param hasMeters `node.metricsEnable`: only then the statistics ever change */
  constructor(port: MessagePort, hasMeters: boolean) {
    this.port = port;
    port.on('message', (answer: Answer | SinkNews) => {
      if ('sinks' in answer) {
        this.knownSinks = answer.sinks;
        return;
      }
      this.known = answer.statistics;
      this.asked.get(answer.ticket)?.(answer);
    });
    port.unref();
    this.timer = setInterval(() => void (hasMeters && this.ask()), STATISTICS_MS);
    this.timer.unref();
  }

  async snapshot(): Promise<MetricSnapshot> {
    return (await this.ask())?.snapshot ?? [];
  }

  statistics(): ChainStatistics {
    return this.known;
  }

  sinks(): readonly SinkStatus[] {
    return this.knownSinks;
  }

  close(): void {
    clearInterval(this.timer);
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
