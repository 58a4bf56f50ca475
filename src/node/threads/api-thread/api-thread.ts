import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { type ControlCall, ControlError, type NetworkControl } from '../../../api/network-control.js';
import { Transaction } from '../../../codec/generated/messages.js';
import { TronError } from '../../../domain/errors.js';
import { ChainError } from '../../../vm/errors.js';
import { decodeTransaction } from '../../../vm/transactions/decode-transaction.js';
import type { Chain } from '../../chain/chain.js';
import type { Clock } from '../../clock.js';
import type { NodeConfig } from '../../config/load-config.js';
import { isTravelClock, readShift } from '../../devnet/travel-clock.js';
import type { MainMetrics } from '../../metrics/main-metrics.js';
import { answerMetrics } from '../../metrics/metrics-port.js';
import { answerPeers, type NodePeers } from '../../peers/node-peers.js';
import { VotedHeight } from '../../voted-height.js';
import { configForThread } from '../reading-thread.js';
import { relayLine } from '../relay-line.js';

import { ChainReporter } from './chain-reporter.js';
import type { ApiThreadData, ClockData, Controlled, FromApiThread, ToApiThread, Verdict } from './messages.js';

export interface ApiThreadOptions {
  readonly chain: Chain;
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Addresses of the witnesses whose keys this node has. */
  readonly producers: readonly Uint8Array[];
  /** Counters of this thread; without them only those of the servers are shown. */
  readonly metrics?: MainMetrics;
  /** Without them nobody is connected. */
  readonly peers?: NodePeers;
  /** Absent: no votes are counted. */
  readonly voted?: VotedHeight;
  /** Of a private network that lets itself be controlled. */
  readonly control?: NetworkControl | undefined;
}

/** ms until a thread that ended with an error is started again. */
const RESTART_MS = 1000;
/** ms that the servers have to close in. */
const CLOSE_MS = 3000;
/** There is none beside sources that were not compiled: tests then serve from the deciding thread. */
const FILE = new URL('./api-worker.js', import.meta.url);

/**
 * The thread that owns all listeners: it reads log and state from the disk for itself, so that no question delays a block. This side
 * tells it what waits and which blocks came, and takes the transactions that were submitted there.
 */
export class ApiThread {
  private readonly options: ApiThreadOptions;
  private readonly reporter: ChainReporter;
  private worker: Worker | undefined;
  private isClosing = false;

  private constructor(options: ApiThreadOptions) {
    this.options = options;
    this.reporter = new ChainReporter(options.chain, (news) => this.send(news));
  }

  static get isCompiled(): boolean {
    return existsSync(fileURLToPath(FILE));
  }

  /** Ends when every port is served, or was found taken. @throws what keeps the thread from starting */
  static async start(options: ApiThreadOptions): Promise<ApiThread> {
    const thread = new ApiThread(options);
    await thread.run();
    return thread;
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.reporter.close();
    const { worker } = this;
    if (worker === undefined) return;
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    this.send({ kind: 'close' });
    const timer = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await exit;
    clearTimeout(timer);
  }

  private run(): Promise<void> {
    const { log } = this.options;
    return new Promise((resolve, reject) => {
      let isServing = false;
      const { port1, port2 } = new MessageChannel();
      if (this.options.metrics !== undefined) answerMetrics(port1, this.options.metrics);
      const { port1: toPeers, port2: peers } = new MessageChannel();
      if (this.options.peers !== undefined) answerPeers(toPeers, this.options.peers);
      const worker = new Worker(FILE, { workerData: this.workerData(port2, peers), transferList: [port2, peers] });
      this.worker = worker;
      worker.on('message', (message: FromApiThread) => {
        if (message.kind === 'line') relayLine(log, message.line);
        if (message.kind === 'submit') this.submit(message.ticket, message.bytes);
        if (message.kind === 'control') void this.control(message.ticket, message.call);
        if (message.kind === 'serving') {
          isServing = true;
          this.reporter.reportWhole();
          resolve();
        }
      });
      worker.on('error', (error) => {
        if (isServing) log.error({ err: error }, 'the thread of the APIs failed');
        reject(startError(error));
      });
      worker.once('exit', () => {
        port1.close();
        toPeers.close();
        this.worker = undefined;
        if (isServing && !this.isClosing) this.restart();
      });
    });
  }

  private restart(): void {
    const { log } = this.options;
    log.error('the thread of the APIs ended, starting it again');
    setTimeout(() => {
      if (this.isClosing) return;
      this.run().catch((error: unknown) => {
        log.error({ err: error }, 'the thread of the APIs cannot be started');
        this.restart();
      });
    }, RESTART_MS).unref();
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
      bell: chain.ledger.bellBuffer,
      voted: voted.buffer,
      clock: clockData(clock),
    };
  }

  /** What waits with it is told first: who is answered sees the effect. */
  private submit(ticket: number, bytes: Uint8Array): void {
    const verdict = this.judge(bytes);
    this.reporter.report();
    this.send({ kind: 'verdict', ticket, ...(verdict && { refusal: verdict }) });
  }

  /** As with what is submitted, the effect is told first. */
  private async control(ticket: number, call: ControlCall): Promise<void> {
    const { control, log } = this.options;
    let outcome: Pick<Controlled, 'result' | 'refusal'>;
    try {
      if (control === undefined) throw new ControlError('this network is not controlled');
      outcome = { result: await control(call) };
    } catch (error) {
      if (!(error instanceof ControlError)) log.error({ err: error, call }, 'the network could not be controlled');
      outcome = { refusal: (error as Error).message };
    }
    this.reporter.report();
    this.send({ kind: 'controlled', ticket, ...outcome });
  }

  private judge(bytes: Uint8Array): Verdict['refusal'] {
    try {
      this.options.chain.pool.offer(decodeTransaction(Transaction.decode(bytes)));
      return undefined;
    } catch (error) {
      if (error instanceof ChainError) {
        const { exception, text, checked } = error;
        return { exception, text, checked };
      }
      this.options.log.error({ err: error }, 'a transaction could not be checked');
      return { text: error instanceof Error ? error.message : String(error) };
    }
  }

  private send(message: ToApiThread): void {
    this.worker?.postMessage(message);
  }
}

function clockData(clock: Clock): ClockData {
  const shift = isTravelClock(clock) ? clock.shift : undefined;
  const now = clock.now() - (shift === undefined ? 0 : readShift(shift));
  return { now, at: Date.now(), speed: clock.speed, shift };
}

/** An error that crossed threads has lost its class: one with a code is a sentence for the operator, as it was there. */
function startError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  return new TronError(error.code, error.message, { cause: error });
}
