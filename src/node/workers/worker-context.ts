import { isMainThread, type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type ChannelHandlers, ThreadChannel } from './thread-channel.js';
import type { CloseSign, WorkerSign } from './worker-handle.js';

/** Context of a thread, used inside the thread: its start data, and the channel to its owner. */
export class WorkerContext<Data> {
  readonly data: Data;
  private readonly port: MessagePort;
  private process: ((message: object) => void) | undefined;
  private isProcessing = false;
  /** Resolves with the close function when the thread is ready. An earlier close request waits for this promise. */
  private readonly close: Promise<(how: unknown) => unknown>;
  private setClose!: (close: (how: unknown) => unknown) => void;

  private constructor(port: MessagePort, data: Data) {
    this.port = port;
    this.data = data;
    this.close = new Promise((resolve) => {
      this.setClose = resolve;
    });
  }

  /** Returns the context if this module is the main module of a thread; undefined if another module imported it. */
  static here<Data>(): WorkerContext<Data> | undefined {
    // The owner starts the thread with data of this type.
    return isMainThread || parentPort === null ? undefined : new WorkerContext(parentPort, workerData as Data);
  }

  /** Sends a log line to the owner, because only one thread writes the log file. */
  readonly line = (line: string): void => this.sign({ sign: 'line', line });

  /**
   * Creates the channel to the owner. Queues incoming messages until {@link serve} or {@link receive} is called, so the
   * handlers may use objects that are created after this call.
   */
  link<NotificationOut, RequestOut, NotificationIn, RequestIn>(
    handlers: ChannelHandlers<NotificationIn, RequestIn>,
  ): ThreadChannel<NotificationOut, RequestOut, NotificationIn, RequestIn> {
    return new ThreadChannel(this.port, handlers);
  }

  /**
   * Starts to process incoming messages.
   * @param close closes all objects of the thread, after which the thread ends; its argument is that of
   * `WorkerHandle.close`
   */
  serve(link: Pick<ThreadChannel<never, never>, 'receive'>, close: (how: unknown) => unknown): void {
    this.receive(link);
    this.ready(close);
  }

  /** Starts to process incoming messages, before the thread is ready. */
  receive(link: Pick<ThreadChannel<never, never>, 'receive'>): void {
    this.process = (message) => {
      if ('sign' in message) return void this.end((message as CloseSign).how);
      this.isProcessing = true;
      try {
        link.receive(message);
      } finally {
        this.isProcessing = false;
      }
    };
    this.port.on('message', this.process);
  }

  /** Reports to the owner that the thread is ready. @param close see {@link serve} */
  ready(close: (how: unknown) => unknown): void {
    this.setClose(close);
    this.sign({ sign: 'ready' });
  }

  /**
   * Processes the messages that have already arrived, without a return to the event loop. Does nothing during the
   * processing of another message, so that the order of messages is preserved.
   * @param isEnough called before each message; returns true to stop
   */
  receiveArrived(isEnough: () => boolean): void {
    while (this.process !== undefined && !this.isProcessing && !isEnough()) {
      const arrived = receiveMessageOnPort(this.port) as { readonly message: object } | undefined;
      if (arrived === undefined) return;
      this.process(arrived.message);
    }
  }

  private async end(how: unknown): Promise<void> {
    const close = await this.close;
    await close(how);
    this.port.close();
  }

  private sign(sign: WorkerSign): void {
    this.port.postMessage(sign);
  }
}
