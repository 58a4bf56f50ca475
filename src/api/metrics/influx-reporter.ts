import type { ApiTraffic } from './api-metrics.js';
import type { NodeStatistics } from './chain-metrics.js';
import type { LatencyStatistics } from './latency-window.js';
import type { Rate } from './meter.js';
import { disconnectionCount } from './peer-statistics.js';

interface InfluxReporterOptions {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Interval between reports, in milliseconds. */
  readonly intervalMs: number;
  readonly read: () => { readonly chain: NodeStatistics; readonly api: ApiTraffic };
  /** Returns the current time, in ms since 1970. */
  readonly now: () => number;
  /**
   * Called with a reason when InfluxDB stops accepting reports. Called with undefined when InfluxDB accepts reports
   * again.
   */
  readonly onChange: (problem: string | undefined) => void;
}

/** Timeout of a report, in milliseconds. */
const REPORT_MS = 5000;
/** Maximum number of bytes of InfluxDB's error text that are logged. */
const REFUSAL_MAX = 200;

/**
 * Sends the meters of `getstatsinfo` to InfluxDB in its line protocol. Names and fields are those of java-tron's
 * reporter (metrics-influxdb 0.8.2). Omits meters without events. Sends one report at a time. A report that fails or
 * times out is not sent again, because the next report contains newer values.
 */
export class InfluxReporter {
  private readonly options: InfluxReporterOptions;
  private readonly url: string;
  private readonly timer: NodeJS.Timeout;
  private readonly ended = new AbortController();
  private underWay: Promise<void> | undefined;
  private problem: string | undefined;

  constructor(options: InfluxReporterOptions) {
    this.options = options;
    const { host, port, database, intervalMs } = options;
    this.url = `http://${host}:${port}/write?precision=ms&db=${encodeURIComponent(database)}`;
    this.timer = setInterval(() => this.report(), intervalMs);
    this.timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.ended.abort();
    await this.underWay;
  }

  private report(): void {
    if (this.underWay !== undefined) return;
    this.underWay = this.send().then((problem) => {
      this.underWay = undefined;
      if (this.ended.signal.aborted) return;
      if ((problem === undefined) !== (this.problem === undefined)) this.options.onChange(problem);
      this.problem = problem;
    });
  }

  /** Sends a report. @returns the reason of a failure; undefined on success */
  private async send(): Promise<string | undefined> {
    const { read, now } = this.options;
    const body = influxLines(read(), now());
    if (body === '') return undefined;
    try {
      const signal = AbortSignal.any([this.ended.signal, AbortSignal.timeout(REPORT_MS)]);
      const reply = await fetch(this.url, { method: 'POST', body, signal });
      const text = await reply.text();
      return reply.status === 204 ? undefined : `status ${reply.status}: ${text.slice(0, REFUSAL_MAX)}`;
    } catch (error) {
      const { message, cause } = error as Error;
      return cause instanceof Error ? `${message}: ${cause.message}` : message;
    }
  }
}

/**
 * Returns a line for each meter with at least one event, of the form `name count=1i,one-minute=0.2,… <ms>`. The lines
 * of counters contain only the count.
 */
export function influxLines({ chain, api }: ReturnType<InfluxReporterOptions['read']>, timeMs: number): string {
  const { ofPeers } = chain;
  const meters: readonly (readonly [name: string, rate: Rate | undefined])[] = [
    ['blockchain.tps', chain.tps],
    ['blockchain.blockProcessTime', chain.blockProcessTime],
    ['net.tcpInTraffic', ofPeers.tcpIn],
    ['net.tcpOutTraffic', ofPeers.tcpOut],
    ['net.udpOutTraffic', ofPeers.udpOut],
    ['net.api.qps', api.qps],
    ['net.api.failQps', api.failQps],
    ['net.api.outTraffic', api.outTraffic],
    ...api.detail.flatMap(({ name, qps, failQps, outTraffic }) => [
      [`net.api.detail.qps.${name}`, qps] as const,
      [`net.api.detail.failQps.${name}`, failQps] as const,
      [`net.api.detail.outTraffic.${name}`, outTraffic] as const,
    ]),
  ];
  const lines = meters.flatMap(([name, rate]) =>
    rate === undefined || rate.count === 0n ? [] : [`${escapeName(name)} ${fieldsOf(rate)} ${timeMs}`],
  );
  // java-tron reports forks as meters with rates. This node has only their counts.
  const counters: readonly (readonly [name: string, count: number])[] = [
    ['blockchain.forkCount', chain.forkCount],
    ['blockchain.failForkCount', chain.failForkCount],
    ...ofPeers.duplicates.map(({ address, count }) => [`blockchain.dupWitness.${address}`, count] as const),
    ['net.errorProtoCount', ofPeers.errorProtoCount],
    ['net.disconnectionCount', disconnectionCount(ofPeers)],
    ...ofPeers.disconnections.map(({ reason, count }) => [`net.disconnectionDetail.${reason}`, count] as const),
    ...delaysOf('net.latency', ofPeers.latency),
    ...ofPeers.witnessLatencies.flatMap((latency) => delaysOf(`net.latency.witness.${latency.witness}`, latency)),
  ];
  for (const [name, count] of counters) if (count > 0) lines.push(`${name} count=${count}i ${timeMs}`);
  return lines.join('\n');
}

/** Returns the counters of late blocks. */
function delaysOf(name: string, { delay1S, delay2S, delay3S }: LatencyStatistics): [string, number][] {
  return [
    [`${name}.1S`, delay1S],
    [`${name}.2S`, delay2S],
    [`${name}.3S`, delay3S],
  ];
}

function fieldsOf({ count, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate, meanRate }: Rate): string {
  const rates = `fifteen-minute=${fifteenMinuteRate},five-minute=${fiveMinuteRate},mean-minute=${meanRate}`;
  return `count=${count}i,${rates},one-minute=${oneMinuteRate}`;
}

/** Escapes a metric name. It can contain a path that a client has chosen. */
function escapeName(name: string): string {
  return name.replace(/[\r\n]/g, ' ').replace(/[ ,\\]/g, '\\$&');
}
