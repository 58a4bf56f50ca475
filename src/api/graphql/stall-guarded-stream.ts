import { graphqlError } from './graphql-errors.js';

/**
 * How long a client may take for one event. Until then nothing is lost: the next event waits in the log, not in memory.
 */
export const STALL_MS = 10_000;
/** How much longer its connection stays open, so that it can still read why its subscription ended. */
export const GIVE_UP_MS = 30_000;

export interface StallLimits {
  readonly stallMs: number;
  readonly giveUpMs: number;
}

/** What a subscriber reads, one at a time. */
export interface ResumableStream<T> {
  /** Where it can be gone on from. */
  readonly cursor: string;
  next(): Promise<IteratorResult<T>>;
  return(): Promise<IteratorResult<T>>;
}

interface PatientStreamOptions<T> {
  readonly stream: ResumableStream<T>;
  readonly limits: StallLimits;
  /** Ends the connection of a client that does not read at all. */
  giveUp(): void;
  /** Hears that the subscription is over, once. */
  onEnd(): void;
}

/**
 * Ends a subscription whose client does not take an event in time. The server asks for the next event once the last one
 * is in the client's socket, so the time between the two is the time that the client took.
 */
export class StallGuardedStream<T> implements AsyncIterableIterator<T> {
  private readonly options: PatientStreamOptions<T>;
  private timer: NodeJS.Timeout | undefined;
  private isTooSlow = false;
  private isOver = false;

  constructor(options: PatientStreamOptions<T>) {
    this.options = options;
  }

  /** @throws {GraphQLError} SUBSCRIBER_TOO_SLOW with the cursor to go on from */
  async next(): Promise<IteratorResult<T>> {
    clearTimeout(this.timer);
    const { stream, limits, giveUp } = this.options;
    if (this.isTooSlow) {
      await this.end();
      throw graphqlError('SUBSCRIBER_TOO_SLOW', `an event was not taken within ${limits.stallMs} ms: subscribe again`, {
        cursor: stream.cursor,
      });
    }
    const result = await this.nextOf(stream);
    if (result.done === true) {
      await this.end();
      return result;
    }
    if (this.isOver) return { done: true, value: undefined };
    this.timer = setTimeout(() => {
      this.isTooSlow = true;
      this.timer = setTimeout(giveUp, limits.giveUpMs);
    }, limits.stallMs);
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

  private async nextOf(stream: ResumableStream<T>): Promise<IteratorResult<T>> {
    try {
      return await stream.next();
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isOver) return;
    this.isOver = true;
    this.options.onEnd();
    await this.options.stream.return();
  }
}
