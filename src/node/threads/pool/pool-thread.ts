import type { Logger } from 'pino';
import { isCompiled, WorkerHandle } from '../../workers/worker-handle.js';
import type { PendingUpdate } from '../api-thread/messages.js';
import type { PoolAnswer, PoolTask, PoolThreadData } from './messages.js';

export interface PoolThreadOptions {
  readonly data: PoolThreadData;
  /** All that waits, for a thread that begins. */
  readonly waiting: () => PendingUpdate;
  /** ms that one task may take: it looks at the clock itself, and this ends one that cannot. */
  readonly taskMsMax: number;
  readonly log: Logger;
}

const FILE = new URL('./pool-worker.js', import.meta.url);

/** One thread of the pool: one task at a time. Begins with its first task, and again after it ended. */
export class PoolThread {
  private readonly options: PoolThreadOptions;
  private worker: WorkerHandle<PendingUpdate, PoolTask> | undefined;
  isBusy = false;

  constructor(options: PoolThreadOptions) {
    this.options = options;
  }

  static get isCompiled(): boolean {
    return isCompiled(FILE);
  }

  tell(news: PendingUpdate): void {
    // One that begins later is told everything.
    this.worker?.link.send(news);
  }

  /** Only while it is not busy. Rejects with ChannelClosedError when the thread ended, or took too long. */
  async run(task: PoolTask): Promise<PoolAnswer> {
    const worker = this.worker ?? this.start();
    const timer = setTimeout(() => {
      this.options.log.warn({ task: task.kind }, 'a task of the pool was broken off: it took too long');
      void worker.terminate();
    }, this.options.taskMsMax);
    this.isBusy = true;
    try {
      return await worker.link.request(task);
    } finally {
      this.isBusy = false;
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): WorkerHandle<PendingUpdate, PoolTask> {
    const { data, log, waiting } = this.options;
    const worker = new WorkerHandle<PendingUpdate, PoolTask>({
      file: FILE,
      data,
      name: 'a thread of the pool',
      log,
      isBackground: true,
      onExit: () => {
        this.worker = undefined;
      },
    });
    this.worker = worker;
    worker.link.send(waiting());
    return worker;
  }
}
