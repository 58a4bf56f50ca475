import type { ServerName } from '../../servers.js';
import { serverNames } from '../../servers.js';
import type { LimitState } from '../limit-state.js';
import { SharedCounts } from './shared-counts.js';
import { SharedRates } from './shared-rates.js';

/** Memory of the limits that all API threads apply together. It can be sent to a thread. */
export interface SharedLimitsData {
  readonly rates: SharedArrayBuffer;
  readonly counts: SharedArrayBuffer;
  readonly names: readonly string[];
  readonly threads: number;
}

/** A server whose connections are counted. */
export type CountedServer = `${'http' | 'jsonrpc'} ${ServerName}`;

/** Creates the memory of the limits. @param interfaces names of the configured limits of interfaces, see `RateLimit` */
export function createSharedLimits(threads: number, interfaces: readonly string[]): SharedLimitsData {
  const servers = (['http', 'jsonrpc'] as const).flatMap((kind) =>
    serverNames.map((name): CountedServer => `${kind} ${name}`),
  );
  const names = [...servers, ...interfaces];
  const seed = Math.floor(Math.random() * 2 ** 32);
  return {
    rates: SharedRates.createBuffer(seed),
    counts: SharedCounts.createBuffer({ names, threads }),
    names,
    threads,
  };
}

/** Limits that an API thread shares with the other API threads. */
export class SharedLimits implements LimitState {
  readonly threads: number;
  private readonly counts: SharedCounts;
  private readonly rates: SharedRates;

  /** @param thread number of the thread, from 0 */
  constructor({ rates, counts, names, threads }: SharedLimitsData, thread: number) {
    this.threads = threads;
    this.rates = new SharedRates(rates);
    this.counts = new SharedCounts({ buffer: counts, names, threads, thread });
  }

  readonly rate: LimitState['rate'] = (...parameters) => this.rates.rate(...parameters);
  readonly addressRates: LimitState['addressRates'] = (...parameters) => this.rates.addressRates(...parameters);
  readonly count: LimitState['count'] = (name, max) => this.counts.limited(name, max);

  /** Returns the monotonic time in ms. Unlike `performance.now`, this clock has the same start in all threads. */
  nowMs(): number {
    return Number(process.hrtime.bigint()) / 1e6;
  }
}
