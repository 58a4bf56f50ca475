import { graphqlError } from './graphql-errors.js';

/**
 * Time in ms within which a client must read an event. The subscription of a slower client ends. The client loses no
 * events, because it can resume from its cursor.
 */
export const STALL_MS = 10_000;
/**
 * Time in ms between the end of such a subscription and the end of its connection. The client can read the error
 * message in this time.
 */
export const CLOSE_TIMEOUT_MS = 30_000;

/** Time limits for slow subscribers, in ms. Defaults: {@link STALL_MS} and {@link CLOSE_TIMEOUT_MS}. */
export interface StallLimits {
  readonly stallMs: number;
  readonly closeTimeoutMs: number;
}

/** Events of a subscription that a client can resume. */
export interface ResumableStream<T> {
  /** Cursor from which a client can resume. */
  readonly cursor: string;
  next(): Promise<IteratorResult<T>>;
  return(): Promise<IteratorResult<T>>;
}

interface StallGuardedStreamOptions<T> {
  readonly stream: ResumableStream<T>;
  readonly limits: StallLimits;
  /** Closes the connection. Called if the client does not read the error message either. */
  closeConnection(): void;
  /** Called once when the subscription ends. */
  onEnd(): void;
}

/**
 * Ends a subscription whose client is too slow. The server requests an event after it has written the previous event to
 * the client's socket. The time between two requests is therefore the time that the client takes to read an event.
 */
export class StallGuardedStream<T> implements AsyncIterableIterator<T> {
  private readonly options: StallGuardedStreamOptions<T>;
  /** Runs from the first event on. Has an effect only while the client reads an event. */
  private timer: NodeJS.Timeout | undefined;
  /** True from the return of an event until the next request. */
  private isBeingRead = false;
  private isTooSlow = false;
  private isOver = false;

  constructor(options: StallGuardedStreamOptions<T>) {
    this.options = options;
  }

  /**
   * Returns the next event.
   * @throws {GraphQLError} SUBSCRIBER_TOO_SLOW: the client has read too slowly; the error contains the cursor to resume
   * from
   */
  async next(): Promise<IteratorResult<T>> {
    this.isBeingRead = false;
    const { stream, limits } = this.options;
    if (this.isTooSlow) {
      await this.end();
      throw graphqlError('SUBSCRIBER_TOO_SLOW', `event not read within ${limits.stallMs} ms; resume from the cursor`, {
        cursor: stream.cursor,
      });
    }
    let result: IteratorResult<T>;
    try {
      result = await stream.next();
    } catch (error) {
      await this.end();
      throw error;
    }
    if (result.done === true) {
      await this.end();
      return result;
    }
    if (this.isOver) return { done: true, value: undefined };
    this.isBeingRead = true;
    // Restarting a timer takes less time than creating one per event.
    if (this.timer === undefined) this.timer = setTimeout(() => this.stalled(), limits.stallMs);
    else this.timer.refresh();
    return result;
  }

  async return(): Promise<IteratorResult<T>> {
    await this.end();
    return { done: true, value: undefined };
  }

  async throw(): Promise<IteratorResult<T>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Called when the time for the last event is over. The client may have read this event in the meantime. */
  private stalled(): void {
    if (!this.isBeingRead) return;
    const { limits, closeConnection } = this.options;
    this.isTooSlow = true;
    this.timer = setTimeout(closeConnection, limits.closeTimeoutMs);
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isOver) return;
    this.isOver = true;
    this.options.onEnd();
    await this.options.stream.return();
  }
}
