import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { WaitingNews } from '../api-thread/messages.js';
import { relayLine } from '../relay-line.js';
import type { FromPoolThread, PoolOutcome, PoolTask, PoolThreadData, ToPoolThread } from './messages.js';

export interface PoolThreadOptions {
  readonly data: PoolThreadData;
  /** All that waits, for a thread that begins. */
  readonly waiting: () => WaitingNews;
  /** ms that one task may take: it looks at the clock itself, and this ends one that cannot. */
  readonly taskMsMax: number;
  readonly log: Logger;
}

/** A task was not answered: its thread ended, or took too long. */
export class BrokenOff extends Error {}

/** There is none beside sources that were not compiled: tests then answer from the thread that serves. */
const FILE = new URL('./pool-worker.js', import.meta.url);

/** An outcome with the ms that it took, without waiting. */
interface Done {
  readonly outcome: PoolOutcome;
  readonly tookMs: number;
}

interface Running {
  readonly timer: NodeJS.Timeout;
  resolve(done: Done): void;
  reject(error: Error): void;
}

/** One thread of the pool: one task at a time. Begins with its first task, and again after it ended. */
export class PoolThread {
  private readonly options: PoolThreadOptions;
  private worker: Worker | undefined;
  private running: Running | undefined;

  constructor(options: PoolThreadOptions) {
    this.options = options;
  }

  static get isCompiled(): boolean {
    return existsSync(fileURLToPath(FILE));
  }

  get isBusy(): boolean {
    return this.running !== undefined;
  }

  tell(news: WaitingNews): void {
    // One that begins later is told everything.
    if (this.worker !== undefined) this.post(news);
  }

  /** Only while it is not busy. Rejects with BrokenOff. */
  run(task: PoolTask): Promise<Done> {
    if (this.worker === undefined) {
      this.worker = this.start();
      this.post(this.options.waiting());
    }
    this.post({ kind: 'task', task });
    const timer = setTimeout(() => {
      this.options.log.warn({ task: task.kind }, 'a task of the pool was broken off: it took too long');
      void this.worker?.terminate();
    }, this.options.taskMsMax);
    return new Promise((resolve, reject) => {
      this.running = { timer, resolve, reject };
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const { data, log } = this.options;
    const worker = new Worker(FILE, { workerData: data });
    worker.on('message', (message: FromPoolThread) => {
      if (message.kind === 'line') relayLine(log, message.line);
      else this.end()?.resolve(message);
    });
    worker.on('error', (error) => log.error({ err: error }, 'a thread of the pool failed'));
    worker.once('exit', () => {
      this.worker = undefined;
      this.end()?.reject(new BrokenOff());
    });
    worker.unref();
    return worker;
  }

  private end(): Running | undefined {
    const { running } = this;
    this.running = undefined;
    clearTimeout(running?.timer);
    return running;
  }

  private post(message: ToPoolThread): void {
    this.worker?.postMessage(message);
  }
}
