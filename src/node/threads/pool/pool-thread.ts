import type { Logger } from 'pino';
import { isCompiled, WorkerHandle } from '../../workers/worker-handle.js';
import type { PendingUpdate } from '../api-threads/messages.js';
import type { PoolAnswer, PoolTask, PoolThreadData } from './messages.js';

export interface PoolThreadOptions {
  readonly data: PoolThreadData;
  /** Returns all pending transactions as one update, for a new thread. */
  readonly pendingUpdate: () => PendingUpdate;
  /**
   * Time limit of a task, in ms. A task checks its own time. If the task still exceeds the limit, the thread is
   * terminated.
   */
  readonly taskMsMax: number;
  readonly log: Logger;
}

const FILE = new URL('./pool-worker.js', import.meta.url);
/** Time limit in ms for a task that runs when the pool closes. After this time, the thread is terminated. */
const CLOSE_MS = 5000;

/**
 * One thread of the call pool. Runs one task at a time. The thread starts with its first task. A thread that has ended
 * restarts with the next task.
 */
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

  update(pending: PendingUpdate): void {
    // A thread that is not running yet gets all pending transactions at its start.
    this.worker?.link.send(pending);
  }

  /**
   * Runs a task. Must not be called while a task runs. Rejects with ChannelClosedError if the thread ends or the task
   * exceeds `taskMsMax`.
   */
  async run(task: PoolTask): Promise<PoolAnswer> {
    const worker = this.worker ?? this.start();
    const timer = setTimeout(() => {
      this.options.log.warn({ task: task.kind }, 'expensive API request aborted: time limit exceeded');
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

  /**
   * Ends the thread after its running task, or after the time limit. A termination during a task could abort the whole
   * process, because LMDB may be in use.
   */
  async close(): Promise<void> {
    await this.worker?.close(CLOSE_MS);
  }

  private start(): WorkerHandle<PendingUpdate, PoolTask> {
    const { data, log, pendingUpdate } = this.options;
    const worker = new WorkerHandle<PendingUpdate, PoolTask>({
      file: FILE,
      data,
      name: 'pool thread',
      log,
      isBackground: true,
      onExit: () => {
        this.worker = undefined;
      },
    });
    this.worker = worker;
    worker.link.send(pendingUpdate());
    return worker;
  }
}
