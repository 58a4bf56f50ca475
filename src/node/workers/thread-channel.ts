import { TronError } from '../../primitives/errors.js';
import { receiveError, type SentError, sendError } from './sent-error.js';

/** A `Worker`, its `parentPort`, or an end of a `MessageChannel`. */
interface Port {
  postMessage(message: unknown): void;
}

/** What one side does with what comes. Answers may be promises; what they throw reaches the asker with its class. */
export interface ChannelHandlers<NewsIn, QuestionIn> {
  readonly onNews?: ((news: NewsIn) => void) | undefined;
  readonly answer?: ((question: QuestionIn) => unknown) | undefined;
}

type LinkMessage =
  | { readonly news: unknown }
  | { readonly ask: number; readonly question: unknown }
  | { readonly answered: number; readonly value?: unknown; readonly error?: SentError };

interface Asking {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The other side ended before it answered. */
export class ChannelClosedError extends TronError<'THREAD_ENDED'> {
  constructor() {
    super('THREAD_ENDED', 'the other thread ended');
  }
}

/**
 * Messages between two threads, in order: news, which nobody answers, and questions, each with one answer. So whoever
 * is answered has heard all that was told before the answer. Each side makes one over its port and gives it the
 * messages that come.
 */
export class ThreadChannel<NewsOut, QuestionOut, NewsIn = never, QuestionIn = never> {
  private readonly port: Port;
  private readonly handlers: ChannelHandlers<NewsIn, QuestionIn>;
  private readonly asking = new Map<number, Asking>();
  private asked = 0;

  constructor(port: Port, handlers: ChannelHandlers<NewsIn, QuestionIn> = {}) {
    this.port = port;
    this.handlers = handlers;
  }

  send(news: NewsOut): void {
    this.post({ news });
  }

  /** Rejects with what the other side throws, and with ChannelClosedError when it goes away first. */
  request<Answer>(question: QuestionOut): Promise<Answer> {
    const ask = ++this.asked;
    return new Promise((resolve, reject) => {
      this.asking.set(ask, { resolve: (value) => resolve(value as Answer), reject });
      this.post({ ask, question });
    });
  }

  /** Takes a message of the other side's link. */
  take(message: unknown): void {
    // Both ends are of this program and of one build.
    const taken = message as LinkMessage;
    if ('news' in taken) this.handlers.onNews?.(taken.news as NewsIn);
    else if ('ask' in taken) void this.answer(taken.ask, taken.question as QuestionIn);
    else this.settle(taken.answered, taken);
  }

  /** Nothing comes any more: whoever waits for an answer hears it. */
  end(): void {
    for (const { reject } of this.asking.values()) reject(new ChannelClosedError());
    this.asking.clear();
  }

  private async answer(answered: number, question: QuestionIn): Promise<void> {
    try {
      this.post({ answered, value: await this.handlers.answer?.(question) });
    } catch (error) {
      this.post({ answered, error: sendError(error) });
    }
  }

  private settle(ask: number, { value, error }: { readonly value?: unknown; readonly error?: SentError }): void {
    const asking = this.asking.get(ask);
    this.asking.delete(ask);
    if (error === undefined) asking?.resolve(value);
    else asking?.reject(receiveError(error));
  }

  private post(message: LinkMessage): void {
    this.port.postMessage(message);
  }
}
