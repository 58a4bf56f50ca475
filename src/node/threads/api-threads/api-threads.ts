import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import {
  type ControlCall,
  ControlError,
  type ControlResult,
  type NetworkControl,
  noControl,
} from '../../../api/network-control.js';
import type { Chain } from '../../../chain/chain.js';
import type { Clock } from '../../../chain/clock.js';
import { isTravelClock, readShift } from '../../../chain/travel-clock.js';
import type { NodeConfig } from '../../../config/load-config.js';
import { ChainError } from '../../../state-transition/errors.js';
import { decodeWritten } from '../../../state-transition/transactions/decode-transaction.js';
import type { MainMetrics } from '../../metrics/main-metrics.js';
import { answerMetrics } from '../../metrics/metrics-port.js';
import { answerPeers, type NodePeers } from '../../peers/node-peers.js';
import { VotedHeight } from '../../voted-height.js';
import { SupervisedWorker } from '../../workers/supervised-worker.js';
import { isCompiled, WorkerHandle } from '../../workers/worker-handle.js';
import { configForThread } from '../reading-thread.js';
import { ChainReporter } from './chain-reporter.js';
import type { ApiThreadData, ChainRequest, ChainUpdate, ClockData, ReaderPosition } from './messages.js';

export interface ApiThreadOptions {
  readonly chain: Chain;
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Addresses of the witnesses whose keys this node has. */
  readonly producers: readonly Uint8Array[];
  /** Counters of the main thread; without them only counters of the servers are exported. */
  readonly metrics?: MainMetrics;
  /** Peers of the node; undefined without a network. */
  readonly peers?: NodePeers;
  /** Height confirmed by PBFT votes; undefined without PBFT. */
  readonly voted?: VotedHeight;
  /** Controls of a private network; undefined if the node has no control routes. */
  readonly control?: NetworkControl | undefined;
}

/** Time limit for closing the servers, in ms. */
const CLOSE_MS = 3000;
const FILE = new URL('./api-worker.js', import.meta.url);
const NAME = 'API thread';

type ApiWorker = WorkerHandle<ChainUpdate, never, ReaderPosition, ChainRequest>;

/**
 * The thread that runs all API servers. It reads log and state from disk itself, so that requests do not delay blocks.
 * The main thread sends it pending transactions and block changes, and executes the transactions that it submits.
 */
export class ApiThreads {
  private readonly options: ApiThreadOptions;
  private readonly reporter: ChainReporter;
  private readonly supervised: SupervisedWorker<ApiWorker>;

  private constructor(options: ApiThreadOptions) {
    this.options = options;
    this.reporter = new ChainReporter(options.chain, (update) => this.supervised.worker?.link.send(update));
    this.supervised = new SupervisedWorker({ name: NAME, log: options.log, start: (onExit) => this.run(onExit) });
  }

  static get isCompiled(): boolean {
    return isCompiled(FILE);
  }

  /**
   * Resolves when every server listens or has reported that it cannot.
   * @throws errors that prevent the start
   */
  static async start(options: ApiThreadOptions): Promise<ApiThreads> {
    const thread = new ApiThreads(options);
    await thread.supervised.start();
    return thread;
  }

  async close(): Promise<void> {
    this.reporter.close();
    await this.supervised.close(CLOSE_MS);
  }

  private run(onExit: () => void): ApiWorker {
    const { log, metrics, peers } = this.options;
    const { port1: toMetrics, port2: metricsPort } = new MessageChannel();
    if (metrics !== undefined) answerMetrics(toMetrics, metrics);
    const { port1: toPeers, port2: peersPort } = new MessageChannel();
    if (peers !== undefined) answerPeers(toPeers, peers);
    const worker: ApiWorker = new WorkerHandle({
      file: FILE,
      data: this.workerData(metricsPort, peersPort),
      transfer: [metricsPort, peersPort],
      name: NAME,
      log,
      onNotification: ({ reader, seq }) => this.options.chain.ledger.retainChanges(reader, seq),
      answer: (question) => this.answer(question),
      onExit: () => {
        toMetrics.close();
        toPeers.close();
        onExit();
      },
    });
    // A new thread does not know the pending transactions yet.
    void worker.ready.then(
      () => this.reporter.reportWhole(),
      () => undefined,
    );
    return worker;
  }

  private workerData(metrics: MessagePort, peers: MessagePort): ApiThreadData {
    const { chain, config, dataDir, clock, log, producers, voted = new VotedHeight() } = this.options;
    return {
      dataDir,
      config: configForThread(config),
      producers,
      level: log.level,
      metrics,
      peers,
      notifier: chain.ledger.notifierBuffer,
      voted: voted.buffer,
      clock: clockData(clock),
    };
  }

  /** Answers a request. Reports the effect first, so that the client sees it with the answer. */
  private async answer(question: ChainRequest): Promise<ControlResult | undefined> {
    try {
      if (question.kind === 'control') return await this.control(question.call);
      this.submit(question.bytes);
      return undefined;
    } finally {
      this.reporter.report();
    }
  }

  /** @throws {ChainError} */
  private submit(bytes: Uint8Array): void {
    try {
      this.options.chain.mempool.validateAndAdd(decodeWritten(bytes));
    } catch (error) {
      if (!(error instanceof ChainError)) this.options.log.error({ err: error }, 'transaction check failed');
      throw error;
    }
  }

  /** @throws {ControlError} */
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

function clockData(clock: Clock): ClockData {
  const shift = isTravelClock(clock) ? clock.shift : undefined;
  const now = clock.now() - (shift === undefined ? 0 : readShift(shift));
  return { now, at: Date.now(), speed: clock.speed, shift };
}
