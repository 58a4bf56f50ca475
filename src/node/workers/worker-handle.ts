import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type TransferListItem, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { TronError } from '../../primitives/errors.js';
import { TIMER_MS_MAX } from '../../primitives/units.js';
import { relayChannel } from './relay-channel.js';
import { type ChannelHandlers, ThreadChannel } from './thread-channel.js';

/** What a thread says of itself beside the messages of its link. */
export type WorkerSign = { readonly sign: 'ready' } | { readonly sign: 'line'; readonly line: string };
/** What it is told beside them; it closes in order and ends. */
export interface CloseSign {
  readonly sign: 'close';
  readonly how: unknown;
}

interface WorkerOptions<NewsIn, QuestionIn> extends ChannelHandlers<NewsIn, QuestionIn> {
  /** Compiled module beside the caller. */
  readonly file: URL;
  readonly data: unknown;
  readonly transfer?: readonly TransferListItem[];
  /** As the operator reads it: `the thread of the APIs`. */
  readonly name: string;
  readonly log: Logger;
  /** It does not keep the process alive, and nobody waits until it serves. */
  readonly isBackground?: boolean;
  /** It is gone. @param error with which, if not in order */
  readonly onExit?: (error: Error | undefined) => void;
}

/** Whether a module was compiled: tests from sources have no file to start a thread with and do its work in theirs. */
export function isCompiled(file: URL): boolean {
  return existsSync(fileURLToPath(file));
}

/** A thread of this program as the one that started it has it: its life, its lines in the log, its link. */
export class WorkerHandle<NewsOut, QuestionOut, NewsIn = never, QuestionIn = never> {
  /** Once it says that it serves. Rejects with what kept it from that. */
  readonly ready: Promise<void>;
  readonly link: ThreadChannel<NewsOut, QuestionOut, NewsIn, QuestionIn>;
  private readonly worker: Worker;
  private readonly exit: Promise<void>;

  constructor(options: WorkerOptions<NewsIn, QuestionIn>) {
    const { file, data, transfer = [], name, log, isBackground = false, onExit } = options;
    const worker = new Worker(file, { workerData: data, transferList: [...transfer] });
    this.worker = worker;
    this.link = new ThreadChannel(worker, options);
    let isReady = false;
    let failure: Error | undefined;
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: object) => {
        if (!('sign' in message)) return this.link.take(message);
        const sign = message as WorkerSign;
        if (sign.sign === 'line') return relayChannel(log, sign.line);
        isReady = true;
        resolve();
      });
      worker.on('error', (error) => {
        failure = startError(error);
        if (isReady || isBackground) log.error({ err: error }, `${name} failed`);
        reject(failure);
      });
      worker.once('exit', () => reject(new Error(`${name} ended`)));
    });
    // Who does not wait for it learns of a failure by its exit.
    this.ready.catch(() => undefined);
    this.exit = new Promise((resolve) => {
      worker.once('exit', () => {
        this.link.end();
        onExit?.(failure);
        resolve();
      });
    });
    if (isBackground) worker.unref();
  }

  /**
   * Tells it to close in order, and ends it when it has not after some time.
   * @param how what its closing takes @param maxMs ms
   */
  async close(maxMs: number, how?: unknown): Promise<void> {
    // The process must not end before the thread has.
    this.worker.ref();
    this.worker.postMessage({ sign: 'close', how } satisfies CloseSign);
    const timer = setTimeout(() => void this.worker.terminate(), Math.min(maxMs, TIMER_MS_MAX));
    await this.exit;
    clearTimeout(timer);
  }

  /** Ends it at once. */
  async terminate(): Promise<void> {
    await this.worker.terminate();
  }
}

/**
 * An error that crossed threads has lost its class: one with a code is a sentence for the operator, as it was there.
 */
function startError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!('code' in error) || typeof error.code !== 'string') return error;
  return new TronError(error.code, error.message, { cause: error });
}
