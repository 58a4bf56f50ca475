import { TronError } from '../../primitives/errors.js';
import { receiveError, type SentError, sendError } from './sent-error.js';

/** A `Worker`, its `parentPort`, or an end of a `MessageChannel`. */
interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
}

/** Answer whose memory is transferred to the other thread instead of being copied. */
export class MovedAnswer {
  readonly value: unknown;
  readonly memory: readonly ArrayBuffer[];

  /** @param memory buffers in `value` to which no other object refers; they are empty in this thread afterwards */
  constructor(value: unknown, memory: readonly ArrayBuffer[]) {
    this.value = value;
    this.memory = memory;
  }
}

/**
 * Handlers of incoming messages. `answer` may return a promise. If `answer` throws or rejects, the other thread gets
 * an error of the same class.
 */
export interface ChannelHandlers<NotificationIn, RequestIn> {
  readonly onNotification?: ((notification: NotificationIn) => void) | undefined;
  readonly answer?: ((request: RequestIn) => unknown) | undefined;
}

type LinkMessage =
  | { readonly notification: unknown }
  | { readonly requestId: number; readonly request: unknown }
  | { readonly answerTo: number; readonly value?: unknown; readonly error?: SentError };

interface PendingRequest {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Thrown if the other thread ended before it answered. */
export class ChannelClosedError extends TronError<'THREAD_ENDED'> {
  constructor() {
    super('THREAD_ENDED', 'the thread that handles this request ended; retry');
  }
}

/**
 * Messages between two threads: notifications without an answer, and requests with an answer. Messages arrive in the
 * order in which they were sent, so a notification that was sent before an answer also arrives before the answer. Each
 * of the two threads creates a channel over its port, and passes all incoming messages to the channel.
 */
export class ThreadChannel<NotificationOut, RequestOut, NotificationIn = never, RequestIn = never> {
  private readonly port: Port;
  private readonly handlers: ChannelHandlers<NotificationIn, RequestIn>;
  private readonly pending = new Map<number, PendingRequest>();
  private requestCount = 0;

  constructor(port: Port, handlers: ChannelHandlers<NotificationIn, RequestIn> = {}) {
    this.port = port;
    this.handlers = handlers;
  }

  send(notification: NotificationOut): void {
    this.post({ notification });
  }

  /**
   * Sends a request. Rejects with the error of the other thread, or with ChannelClosedError if the other thread ends
   * first.
   */
  request<Answer>(request: RequestOut): Promise<Answer> {
    const requestId = ++this.requestCount;
    return new Promise((resolve, reject) => {
      this.pending.set(requestId, { resolve: (value) => resolve(value as Answer), reject });
      this.post({ requestId, request });
    });
  }

  /** Processes a message that the other thread has sent. */
  receive(message: unknown): void {
    // Both sides run the same build, so the type is certain.
    const received = message as LinkMessage;
    if ('notification' in received) this.handlers.onNotification?.(received.notification as NotificationIn);
    else if ('requestId' in received) void this.answer(received.requestId, received.request as RequestIn);
    else this.settle(received.answerTo, received);
  }

  /** Rejects all pending requests. Must be called when no more messages can arrive. */
  end(): void {
    for (const { reject } of this.pending.values()) reject(new ChannelClosedError());
    this.pending.clear();
  }

  private async answer(answerTo: number, request: RequestIn): Promise<void> {
    try {
      const answer = await this.handlers.answer?.(request);
      if (answer instanceof MovedAnswer) this.post({ answerTo, value: answer.value }, answer.memory);
      else this.post({ answerTo, value: answer });
    } catch (error) {
      this.post({ answerTo, error: sendError(error) });
    }
  }

  private settle(requestId: number, { value, error }: { readonly value?: unknown; readonly error?: SentError }): void {
    const request = this.pending.get(requestId);
    this.pending.delete(requestId);
    if (error === undefined) request?.resolve(value);
    else request?.reject(receiveError(error));
  }

  private post(message: LinkMessage, memory: readonly ArrayBuffer[] = []): void {
    this.port.postMessage(message, memory);
  }
}
