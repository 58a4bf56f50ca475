import type { Logger } from 'pino';
import type { WorkerHandle } from './worker-handle.js';

/** ms until a thread that ended is started again. */
const RESTART_MS = 1000;

interface KeptWorkerOptions<W> {
  readonly name: string;
  readonly log: Logger;
  /** Starts the thread anew. @param onExit to be called when it has ended */
  readonly start: (onExit: () => void) => W;
}

/** A thread that is started again when it ends, until it is closed. */
export class SupervisedWorker<W extends Pick<WorkerHandle<never, never>, 'ready' | 'close'>> {
  private readonly options: KeptWorkerOptions<W>;
  private isClosing = false;
  /** Undefined while there is none. */
  worker: W | undefined;

  constructor(options: KeptWorkerOptions<W>) {
    this.options = options;
  }

  /** Ends when it serves. @throws what keeps it from starting: the first time nothing is tried again */
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

  /** Starts it, and again until it serves. */
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
    log.error(`${name} ended, starting it again`);
    this.beginLater();
  }

  private startLater(error: unknown): void {
    const { log, name } = this.options;
    if (this.isClosing) return;
    log.error({ err: error }, `${name} cannot be started, trying again`);
    this.beginLater();
  }

  private beginLater(): void {
    setTimeout(() => {
      if (!this.isClosing) this.begin();
    }, RESTART_MS).unref();
  }
}
