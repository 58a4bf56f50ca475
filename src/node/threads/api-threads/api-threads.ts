import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { ApiTraffic } from '../../../api/metrics/api-metrics.js';
import type { MetricSnapshot } from '../../../api/metrics/metric-set.js';
import { limitName } from '../../../api/middleware/rate-limit.js';
import { SharedCounts } from '../../../api/middleware/shared/shared-counts.js';
import { createSharedLimits, type SharedLimitsData } from '../../../api/middleware/shared/shared-limits.js';
import {
  type ControlCall,
  ControlError,
  type ControlResult,
  type NetworkControl,
  noControl,
} from '../../../api/network-control.js';
import type { RememberedIds } from '../../../api/operations/broadcast.js';
import type { Chain } from '../../../chain/chain.js';
import type { Clock } from '../../../chain/clock.js';
import { isTravelClock, readShift } from '../../../chain/travel-clock.js';
import type { NodeConfig } from '../../../config/load-config.js';
import type { ProjectionDatabase } from '../../../projections/runner/projection-database.js';
import { ChainError } from '../../../state-transition/errors.js';
import { decodeWritten } from '../../../state-transition/transactions/decode-transaction.js';
import type { MainMetrics } from '../../metrics/main-metrics.js';
import { answerMetrics, SILENCE_MS } from '../../metrics/metrics-port.js';
import { RetainedCounters } from '../../metrics/retained-counters.js';
import { answerPeers, type NodePeers } from '../../peers/node-peers.js';
import { type RefusedPort, tryPorts } from '../../serving/ports/listen-ports.js';
import { rememberIds } from '../../serving/remember-ids.js';
import { openProjectionDatabase } from '../../serving/secondary-projections.js';
import { VotedHeight } from '../../voted-height.js';
import { answerWithin } from '../../workers/answer-within.js';
import { SupervisedWorker } from '../../workers/supervised-worker.js';
import { ChannelClosedError } from '../../workers/thread-channel.js';
import { isCompiled, WorkerHandle } from '../../workers/worker-handle.js';
import { configForThread } from '../reading-thread.js';
import { ChainReporter } from './chain-reporter.js';
import type {
  ApiThreadData,
  ApiThreadNotice,
  ApiThreadRequest,
  ChainRequest,
  ClockData,
  NumberedUpdate,
  PendingUpdate,
} from './messages.js';
import { apiThreadCount } from './thread-count.js';

export interface ApiThreadsOptions {
  readonly chain: Chain;
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Addresses of the witnesses whose keys this node has. */
  readonly producers: readonly Uint8Array[];
  /** Counters of the main thread. Without them, the servers export only their own counters. */
  readonly metrics?: MainMetrics;
  /** Peers of the node; undefined without a network. */
  readonly peers?: NodePeers;
  /** Newest height with a PBFT quorum; undefined without PBFT. */
  readonly voted?: VotedHeight;
  /** Controls of a private network; undefined if the node has no control routes. */
  readonly control?: NetworkControl | undefined;
}

/**
 * Time limit in ms for closing the servers and the pool of a thread. After it, the thread is terminated. The limit is
 * long, because terminating a thread that uses LMDB at this moment aborts the whole process (`napi_throw`).
 */
const CLOSE_MS = 10_000;
/**
 * Time limit in ms for the metrics of one thread. It is shorter than `SILENCE_MS`, the time limit of the requesting
 * thread. If a thread does not respond in time, the result contains its last known counters.
 */
const METRICS_MS = SILENCE_MS / 2;
const FILE = new URL('./api-worker.js', import.meta.url);

type ApiWorker = WorkerHandle<NumberedUpdate, ApiThreadRequest, ApiThreadNotice, ChainRequest>;

/**
 * The threads that run all API servers (`tronicle.api.workers`). Several threads listen on the same ports, and the
 * system distributes the connections. Each thread reads log and state from disk, so that requests do not delay blocks.
 *
 * The main thread sends the pending transactions to all threads, and executes the transactions that they submit. A
 * thread that has ended is restarted. The other threads retain their connections.
 */
export class ApiThreads {
  private readonly options: ApiThreadsOptions;
  private readonly reporter: ChainReporter;
  private readonly threads: readonly SupervisedWorker<ApiWorker>[];
  private readonly limits: SharedLimitsData | undefined;
  private readonly remembered: RememberedIds;
  /** Number of the newest update, see `ApiThreadData.updates`. */
  private readonly updates = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private refusedPorts: readonly RefusedPort[] = [];
  private readonly counters = new RetainedCounters();
  /** Last reported traffic of each thread. Empty if there is only one thread, or if meters are disabled. */
  private readonly traffic = new Map<number, ApiTraffic>();
  /**
   * Database of the index projections, opened for writing. lmdb opens a file once for all threads of a process, in the
   * mode of the first open. The main thread must therefore open it before the reading threads, so that writing is
   * possible.
   */
  private indexes: ProjectionDatabase | undefined;
  /** Addresses for browser light clients. Resolves when the first thread serves light clients. */
  private readonly followed: Promise<readonly string[]>;
  private announceFollowed!: (addresses: readonly string[]) => void;

  private constructor(options: ApiThreadsOptions) {
    const { chain, config, log } = options;
    this.options = options;
    this.remembered = rememberIds(chain, config);
    const count = apiThreadCount({ configured: config.tronicle.api.workers }, log);
    this.limits = count === 1 ? undefined : createSharedLimits(count, limitNames(config));
    this.reporter = new ChainReporter(chain, (update) => this.report(update));
    this.followed = new Promise((resolve) => {
      this.announceFollowed = resolve;
    });
    this.threads = Array.from(
      { length: count },
      (_, thread) => new SupervisedWorker({ name: nameOf(thread), log, start: (onExit) => this.run(thread, onExit) }),
    );
  }

  static get isCompiled(): boolean {
    return isCompiled(FILE);
  }

  /**
   * Starts the threads. Resolves when every server listens, or has reported that it cannot listen.
   * @throws errors that prevent the start
   */
  static async start(options: ApiThreadsOptions): Promise<ApiThreads> {
    const threads = new ApiThreads(options);
    const [first, ...others] = threads.threads;
    if (others.length > 0) {
      // The threads listen with an option that also shares the port with other processes of the same user. To detect
      // such a process, the main thread first opens each port without the option.
      threads.refusedPorts = (await tryPorts(options.config)).refused;
      threads.indexes = openProjectionDatabase(options.dataDir, options.log, { readOnly: false });
    }
    // The first thread creates the index projections. The other threads only read them.
    await first?.start();
    await Promise.all(others.map((thread) => thread.start()));
    return threads;
  }

  async close(): Promise<void> {
    this.reporter.close();
    await Promise.all(this.threads.map((thread) => thread.close(CLOSE_MS)));
    await this.indexes?.close();
  }

  /**
   * Sends an update to all threads, then increases the shared number. If a thread's last applied update
   * has a lower number, the thread detects that a sent update is not delivered yet.
   */
  private report(update: PendingUpdate): void {
    const number = Atomics.load(this.updates, 0) + 1;
    for (const { worker } of this.threads) worker?.link.send({ number, update });
    Atomics.store(this.updates, 0, number);
  }

  private run(thread: number, onExit: () => void): ApiWorker {
    const { log, metrics, peers } = this.options;
    const { port1: toMetrics, port2: metricsPort } = new MessageChannel();
    if (metrics !== undefined) answerMetrics(toMetrics, metrics, () => this.otherTraffic(thread));
    const { port1: toPeers, port2: peersPort } = new MessageChannel();
    if (peers !== undefined) answerPeers(toPeers, peers);
    return new WorkerHandle({
      file: FILE,
      data: this.workerData(thread, { metrics: metricsPort, peers: peersPort }),
      transfer: [metricsPort, peersPort],
      name: nameOf(thread),
      log,
      onNotification: (notice) => this.receive(thread, notice),
      answer: (question) => this.answer(thread, question),
      onExit: () => {
        toMetrics.close();
        toPeers.close();
        this.forgetCounts(thread);
        this.traffic.delete(thread);
        this.counters.end(thread);
        onExit();
      },
    });
  }

  private receive(thread: number, notice: ApiThreadNotice): void {
    if (notice.kind === 'followed') this.announceFollowed(notice.addresses);
    else if (notice.kind === 'traffic') this.traffic.set(thread, notice.traffic);
    else this.options.chain.ledger.retainChanges(notice.reader, notice.seq);
  }

  private otherTraffic(reader: number): readonly ApiTraffic[] {
    return [...this.traffic].flatMap(([thread, traffic]) => (thread === reader ? [] : [traffic]));
  }

  private workerData(
    thread: number,
    ports: { readonly metrics: MessagePort; readonly peers: MessagePort },
  ): ApiThreadData {
    const { chain, config, dataDir, clock, log, producers, voted = new VotedHeight() } = this.options;
    const { limits, refusedPorts } = this;
    return {
      dataDir,
      config: configForThread(config),
      producers,
      level: log.level,
      ...ports,
      notifier: chain.ledger.notifierBuffer,
      voted: voted.buffer,
      clock: clockData(clock),
      updates: this.updates.buffer as SharedArrayBuffer,
      shared: limits && { thread, limits, refusedPorts },
    };
  }

  /** Removes the connections and calls of a thread that has ended from the shared counts. */
  private forgetCounts(thread: number): void {
    const { limits } = this;
    if (limits !== undefined) new SharedCounts({ ...limits, buffer: limits.counts, thread }).clear(thread);
  }

  private answer(thread: number, question: ChainRequest): unknown {
    if (question.kind === 'metrics') return this.otherMetrics(thread, question.own);
    if (question.kind === 'followed') return this.followed;
    if (question.kind === 'remember') return this.remembered.add(question.id);
    if (question.kind === 'pending') return this.reporter.reportWhole();
    if (question.kind === 'filters') return this.linkOf(0).request(question);
    return this.change(question);
  }

  /**
   * Executes a request that changes the chain. Sends the effect to all API threads before the answer. After the answer,
   * the client therefore sees the effect in every thread.
   */
  private async change(question: ChainRequest & { readonly kind: 'submit' | 'control' }): Promise<unknown> {
    try {
      if (question.kind === 'control') return await this.control(question.call);
      this.submit(question.bytes);
      return undefined;
    } finally {
      this.reporter.report();
    }
  }

  /**
   * Returns the metrics of all threads except the requesting thread, including the counters of threads that have ended.
   */
  private async otherMetrics(requester: number, own: MetricSnapshot): Promise<readonly MetricSnapshot[]> {
    this.counters.of(requester, own);
    const others = [...this.threads.keys()].filter((thread) => thread !== requester);
    const metrics = others.map(async (thread) => {
      const answer = answerWithin(METRICS_MS, this.metricsOf(thread), undefined);
      return this.counters.of(thread, await answer.catch(() => undefined));
    });
    return [...(await Promise.all(metrics)), await this.counters.ofEnded()];
  }

  private async metricsOf(thread: number): Promise<MetricSnapshot | undefined> {
    return this.linkOf(thread).request<MetricSnapshot>({ kind: 'metrics' });
  }

  /** Returns the channel to a thread. @throws {ChannelClosedError} the thread is being restarted */
  private linkOf(thread: number): ApiWorker['link'] {
    const worker = this.threads[thread]?.worker;
    if (worker === undefined) throw new ChannelClosedError();
    return worker.link;
  }

  /** Verifies an encoded transaction and adds it to the mempool. @throws {ChainError} the transaction is rejected */
  private submit(bytes: Uint8Array): void {
    try {
      this.options.chain.mempool.validateAndAdd(decodeWritten(bytes));
    } catch (error) {
      if (!(error instanceof ChainError))
        this.options.log.error({ err: error }, 'unexpected error in the check of a submitted transaction');
      throw error;
    }
  }

  /**
   * Executes a control call of a private network. Logs unexpected errors.
   * @throws {ControlError} the call failed, for an expected or an unexpected reason
   */
  private async control(call: ControlCall): Promise<ControlResult> {
    const { control, log } = this.options;
    try {
      if (control === undefined) throw noControl();
      return await control(call);
    } catch (error) {
      if (error instanceof ControlError) throw error;
      log.error({ err: error, call }, 'devnet control call failed');
      throw new ControlError((error as Error).message);
    }
  }
}

function nameOf(thread: number): string {
  return thread === 0 ? 'API thread' : `API thread ${thread + 1}`;
}

/** Returns the names of the limits of concurrent calls in the configuration. */
function limitNames({ rateLimiter: { http, rpc } }: NodeConfig): readonly string[] {
  return [
    ...http.map(({ component }) => limitName('http', component)),
    ...rpc.map(({ component }) => limitName('rpc', component)),
  ];
}

function clockData(clock: Clock): ClockData {
  const shift = isTravelClock(clock) ? clock.shift : undefined;
  const now = clock.now() - (shift === undefined ? 0 : readShift(shift));
  return { now, at: Date.now(), speed: 1, shift };
}
