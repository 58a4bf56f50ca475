import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type ChannelHandlers, ThreadChannel } from './thread-channel.js';
import type { CloseSign, WorkerSign } from './worker-handle.js';

/** A thread as it sees itself: what it was started with, and its owner. */
export class WorkerContext<Data> {
  readonly data: Data;
  private readonly port: MessagePort;

  private constructor(port: MessagePort, data: Data) {
    this.port = port;
    this.data = data;
  }

  /** The thread that this module was started as; undefined where it was only imported. */
  static here<Data>(): WorkerContext<Data> | undefined {
    // Its owner gives it data of that form.
    return isMainThread || parentPort === null ? undefined : new WorkerContext(parentPort, workerData as Data);
  }

  /** A line of the log goes to the owner: one thread writes it. */
  readonly line = (line: string): void => this.sign({ sign: 'line', line });

  /**
   * The link to the owner. What it tells and asks waits until {@link serve}; handlers may speak of what is made until
   * then.
   */
  link<NewsOut, QuestionOut, NewsIn, QuestionIn>(
    handlers: ChannelHandlers<NewsIn, QuestionIn>,
  ): ThreadChannel<NewsOut, QuestionOut, NewsIn, QuestionIn> {
    return new ThreadChannel(this.port, handlers);
  }

  /**
   * Takes what comes from now on.
   * @param close closes in order, with what `WorkerHandle.close` was given; the thread ends behind it
   */
  serve(link: Pick<ThreadChannel<never, never>, 'take'>, close: (how: unknown) => unknown): void {
    this.port.on('message', async (message: object) => {
      if (!('sign' in message)) return link.take(message);
      await close((message as CloseSign).how);
      this.port.close();
    });
    this.sign({ sign: 'ready' });
  }

  private sign(sign: WorkerSign): void {
    this.port.postMessage(sign);
  }
}
