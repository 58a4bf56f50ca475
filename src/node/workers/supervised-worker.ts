import type { Logger } from 'pino';
import type { WorkerHandle } from './worker-handle.js';

/** Delay before a restart, in ms. */
const RESTART_MS = 1000;

interface SupervisedWorkerOptions<W> {
  readonly name: string;
  readonly log: Logger;
  /** Starts the thread. @param onExit must be called when the thread has ended */
  readonly start: (onExit: () => void) => W;
}

/** A thread that is restarted whenever it ends, until it is closed. */
export class SupervisedWorker<W extends Pick<WorkerHandle<never, never>, 'ready' | 'close'>> {
  private readonly options: SupervisedWorkerOptions<W>;
  private isClosing = false;
  /** The running thread; undefined during a restart. */
  worker: W | undefined;

  constructor(options: SupervisedWorkerOptions<W>) {
    this.options = options;
  }

  /** Starts the thread. Resolves when it is ready. @throws the error of the first start, which is not retried */
  async start(): Promise<void> {
    let isServing = false;
    const worker = this.options.start(() => {
      this.worker = undefined;
      if (isServing) this.restart();
    });
    this.worker = worker;
    await worker.ready;
    isServing = true;
  }

  /** Starts the thread. Retries until it is ready. */
  begin(): void {
    this.start().catch((error: unknown) => this.startLater(error));
  }

  async close(maxMs: number, how?: unknown): Promise<void> {
    this.isClosing = true;
    await this.worker?.close(maxMs, how);
  }

  private restart(): void {
    const { log, name } = this.options;
    if (this.isClosing) return;
    log.error({ thread: name }, 'thread ended, restarting');
    this.beginLater();
  }

  private startLater(error: unknown): void {
    const { log, name } = this.options;
    if (this.isClosing) return;
    log.error({ err: error, thread: name }, 'thread start failed, retrying');
    this.beginLater();
  }

  private beginLater(): void {
    const { log, name } = this.options;
    setTimeout(() => {
      if (this.isClosing) return;
      this.start().then(
        () => log.info({ thread: name }, 'thread restarted'),
        (error: unknown) => this.startLater(error),
      );
    }, RESTART_MS).unref();
  }
}
