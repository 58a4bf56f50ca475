import { TronError } from '../../primitives/errors.js';
import { receiveError, type SentError, sendError } from './sent-error.js';

/** A `Worker`, its `parentPort`, or an end of a `MessageChannel`. */
interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
}

/** An answer with memory that moves to the other thread instead of being copied. */
export class MovedAnswer {
  readonly value: unknown;
  readonly memory: readonly ArrayBuffer[];

  /** @param memory buffers in `value` that nothing else refers to; they are empty in this thread afterwards */
  constructor(value: unknown, memory: readonly ArrayBuffer[]) {
    this.value = value;
    this.memory = memory;
  }
}

/** Handlers of incoming messages. `answer` may return a promise. Its errors keep their class on the other side. */
export interface ChannelHandlers<NewsIn, QuestionIn> {
  readonly onNotification?: ((news: NewsIn) => void) | undefined;
  readonly answer?: ((question: QuestionIn) => unknown) | undefined;
}

type LinkMessage =
  | { readonly news: unknown }
  | { readonly ask: number; readonly question: unknown }
  | { readonly answered: number; readonly value?: unknown; readonly error?: SentError };

interface PendingRequest {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The other thread ended before it answered. */
export class ChannelClosedError extends TronError<'THREAD_ENDED'> {
  constructor() {
    super('THREAD_ENDED', 'the other thread ended');
  }
}

/**
 * Ordered messages between two threads: notifications without an answer, and requests with one. Notifications sent
 * before an answer arrive before it. Each side creates a channel over its port and passes it the incoming messages.
 */
export class ThreadChannel<NewsOut, QuestionOut, NewsIn = never, QuestionIn = never> {
  private readonly port: Port;
  private readonly handlers: ChannelHandlers<NewsIn, QuestionIn>;
  private readonly pending = new Map<number, PendingRequest>();
  private requestCount = 0;

  constructor(port: Port, handlers: ChannelHandlers<NewsIn, QuestionIn> = {}) {
    this.port = port;
    this.handlers = handlers;
  }

  send(news: NewsOut): void {
    this.post({ news });
  }

  /** Sends a request. Rejects with the error of the other side, or with ChannelClosedError if it ends first. */
  request<Answer>(question: QuestionOut): Promise<Answer> {
    const ask = ++this.requestCount;
    return new Promise((resolve, reject) => {
      this.pending.set(ask, { resolve: (value) => resolve(value as Answer), reject });
      this.post({ ask, question });
    });
  }

  /** Processes a message of the other side. */
  receive(message: unknown): void {
    // Both sides run the same build, so the form is known.
    const taken = message as LinkMessage;
    if ('news' in taken) this.handlers.onNotification?.(taken.news as NewsIn);
    else if ('ask' in taken) void this.answer(taken.ask, taken.question as QuestionIn);
    else this.settle(taken.answered, taken);
  }

  /** Rejects all pending requests, because no more messages arrive. */
  end(): void {
    for (const { reject } of this.pending.values()) reject(new ChannelClosedError());
    this.pending.clear();
  }

  private async answer(answered: number, question: QuestionIn): Promise<void> {
    try {
      const answer = await this.handlers.answer?.(question);
      if (answer instanceof MovedAnswer) this.post({ answered, value: answer.value }, answer.memory);
      else this.post({ answered, value: answer });
    } catch (error) {
      this.post({ answered, error: sendError(error) });
    }
  }

  private settle(ask: number, { value, error }: { readonly value?: unknown; readonly error?: SentError }): void {
    const asking = this.pending.get(ask);
    this.pending.delete(ask);
    if (error === undefined) asking?.resolve(value);
    else asking?.reject(receiveError(error));
  }

  private post(message: LinkMessage, memory: readonly ArrayBuffer[] = []): void {
    this.port.postMessage(message, memory);
  }
}
