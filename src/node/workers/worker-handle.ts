import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type TransferListItem, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { UNUSABLE_EXIT } from '../../log/lmdb/environment.js';
import { TronError } from '../../primitives/errors.js';
import { TIMER_MS_MAX } from '../../primitives/units.js';
import { relayChannel } from './relay-channel.js';
import { type ChannelHandlers, ThreadChannel } from './thread-channel.js';

/** Messages of a thread to its owner in addition to those of its channel: the thread is ready, or a log line. */
export type WorkerSign = { readonly sign: 'ready' } | { readonly sign: 'line'; readonly line: string };
/** Message that requests a thread to close its objects and then to end. */
export interface CloseSign {
  readonly sign: 'close';
  readonly how: unknown;
}

interface WorkerOptions<NotificationIn, RequestIn> extends ChannelHandlers<NotificationIn, RequestIn> {
  /** URL of the compiled module of the thread. */
  readonly file: URL;
  readonly data: unknown;
  readonly transfer?: readonly TransferListItem[];
  /** Name for log lines and errors, such as `API thread`. */
  readonly name: string;
  readonly log: Logger;
  /** True if the process may end while the thread runs. If true, no caller waits until the thread is ready. */
  readonly isBackground?: boolean;
  /** Called when the thread has ended. @param error reason of the end; undefined after an ordered close */
  readonly onExit?: (error: Error | undefined) => void;
}

/**
 * Returns true if the compiled module exists. Tests from sources have no compiled module, and do the work in the
 * calling thread.
 */
export function isCompiled(file: URL): boolean {
  return existsSync(fileURLToPath(file));
}

/** Handle of a thread, used by its owner: start, end, log lines, channel. */
export class WorkerHandle<NotificationOut, RequestOut, NotificationIn = never, RequestIn = never> {
  /** Resolves when the thread is ready. Rejects with the error that prevented the start. */
  readonly ready: Promise<void>;
  readonly link: ThreadChannel<NotificationOut, RequestOut, NotificationIn, RequestIn>;
  private readonly worker: Worker;
  private readonly name: string;
  private readonly log: Logger;
  private readonly exit: Promise<void>;

  constructor(options: WorkerOptions<NotificationIn, RequestIn>) {
    const { file, data, transfer = [], name, log, isBackground = false, onExit } = options;
    // The thread runs compiled files, so it does not load the loader for TypeScript sources. Loading it would take
    // seconds.
    const worker = new Worker(file, { name, workerData: data, transferList: [...transfer], execArgv: [] });
    this.worker = worker;
    this.name = name;
    this.log = log;
    this.link = new ThreadChannel(worker, options);
    let isReady = false;
    let failure: Error | undefined;
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: object) => {
        if (!('sign' in message)) return this.link.receive(message);
        const sign = message as WorkerSign;
        if (sign.sign === 'line') return relayChannel(log, sign.line);
        isReady = true;
        resolve();
      });
      worker.on('error', (error) => {
        failure = startError(error);
        if (isReady || isBackground) log.error({ err: error, thread: name }, 'thread failed');
        reject(failure);
      });
      worker.once('exit', () => reject(new Error(`${name} ended unexpectedly`)));
    });
    // Avoids an unhandled rejection. `onExit` reports the failure to callers that do not wait.
    this.ready.catch(() => undefined);
    this.exit = new Promise((resolve) => {
      worker.once('exit', (code) => {
        if (code === UNUSABLE_EXIT) process.exit(1);
        this.link.end();
        onExit?.(failure);
        resolve();
      });
    });
    if (isBackground) worker.unref();
  }

  /**
   * Requests an orderly close. Terminates the thread after the time limit.
   * @param maxMs time limit in ms
   * @param how argument of the thread's close function
   */
  async close(maxMs: number, how?: unknown): Promise<void> {
    // Keeps the process alive until the thread has ended.
    this.worker.ref();
    this.worker.postMessage({ sign: 'close', how } satisfies CloseSign);
    const timer = setTimeout(
      () => {
        this.log.warn({ thread: this.name, maxMs }, 'thread terminated, because it did not close in time');
        void this.worker.terminate();
      },
      Math.min(maxMs, TIMER_MS_MAX),
    );
    await this.exit;
    clearTimeout(timer);
  }

  /** Terminates the thread immediately. */
  async terminate(): Promise<void> {
    await this.worker.terminate();
  }
}

/**
 * Restores the class of an error that a thread has sent. If the error has a code, its message is one sentence for the
 * operator.
 */
function startError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!('code' in error) || typeof error.code !== 'string') return error;
  return new TronError(error.code, error.message, { cause: error });
}
