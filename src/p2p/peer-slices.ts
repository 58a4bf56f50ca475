import { itemAt } from '../primitives/assert.js';
import type { IdleClock } from './peers/idle-clock.js';

/** Time slice of the thread for work on peer messages, in ms. */
export const SLICE_MS = 5;
/** Number of list entries that are processed before the work may pause. */
const PORTION = 128;

/** Work that can pause at each `yield`. If it yields a promise, the work continues after the promise has settled. */
export type Steps<T = void> = Generator<Promise<void> | undefined, T>;

/** Queued work that was interrupted at a `yield`. */
interface Job {
  readonly steps: Steps;
  readonly isOver: () => boolean;
  readonly worked: (ms: number) => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface PeerSlicesOptions {
  readonly waitClock: IdleClock;
  /** Returns a monotonic time, ms. */
  readonly clock?: () => number;
}

/**
 * Scheduler for work on peer messages. In each turn of the event loop, runs one slice of the next queued message. The
 * queue has at most one message per connection, because the node does not read a connection while it processes a
 * message of this connection.
 */
export class PeerSlices {
  private readonly options: Required<PeerSlicesOptions>;
  private readonly queue: Job[] = [];

  constructor({ waitClock, clock = () => performance.now() }: PeerSlicesOptions) {
    this.options = { waitClock, clock };
  }

  /**
   * Runs the first slice synchronously. Returns a promise if more slices are needed.
   * @param isOver returns true to cancel the remaining work
   * @param worked called with the duration of each further slice, in ms
   * @throws errors of the first slice
   */
  run(steps: Steps, isOver: () => boolean, worked: (ms: number) => void = () => undefined): void | Promise<void> {
    const first = this.advance(steps);
    if (first === 'done') return;
    return new Promise<void>((done, failed) => this.later({ steps, isOver, worked, done, failed }, first));
  }

  /**
   * Runs one slice.
   * @returns `done` if the work is finished; a promise if the work must wait for it; undefined if the next slice may
   * run at once
   */
  private advance(steps: Steps): 'done' | Promise<void> | undefined {
    const { clock } = this.options;
    const started = clock();
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return 'done';
      if (value !== undefined || clock() - started >= SLICE_MS) return value as Promise<void> | undefined;
    }
  }

  private later(job: Job, after: Promise<void> | undefined): void {
    if (after === undefined) this.enqueue(job);
    else after.then(() => this.enqueue(job), job.failed);
  }

  private enqueue(job: Job): void {
    this.queue.push(job);
    if (this.queue.length === 1) setImmediate(() => this.turn());
  }

  private turn(): void {
    const job = itemAt(this.queue, 0);
    try {
      if (job.isOver()) job.steps.return();
      const state = this.options.waitClock.during(() => this.counted(job));
      if (state === 'done') job.done();
      else this.later(job, state);
    } catch (error) {
      job.failed(error);
    } finally {
      this.queue.shift();
      if (this.queue.length > 0) setImmediate(() => this.turn());
    }
  }

  /** Runs a further slice and reports its duration. */
  private counted({ steps, worked }: Job): 'done' | Promise<void> | undefined {
    const { clock } = this.options;
    const started = clock();
    try {
      return this.advance(steps);
    } finally {
      worked(clock() - started);
    }
  }
}

/** Processes a long list in portions, and yields after each portion. */
export function* inPortions<T>(list: readonly T[], work: (portion: readonly T[]) => void): Steps {
  for (let at = 0; at < list.length; at += PORTION) {
    work(list.slice(at, at + PORTION));
    yield;
  }
}
