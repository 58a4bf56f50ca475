import { itemAt } from '../primitives/assert.js';
import type { IdleClock } from './peers/idle-clock.js';

/** ms that work on what a peer sent holds the thread before others have their turn. */
export const SLICE_MS = 5;
/** Entries of a list between two looks at the clock. */
const PORTION = 128;

/** Work that may be interrupted where it yields, and that waits for what it yields. */
export type Steps<T = void> = Generator<Promise<void> | undefined, T>;

/** What was interrupted. */
interface Job {
  readonly steps: Steps;
  readonly isOver: () => boolean;
  readonly worked: (ms: number) => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface TurnsOptions {
  readonly waitClock: IdleClock;
  /** ms; only differences mean something. */
  readonly clock?: () => number;
}

/**
 * Work on messages of peers, in slices: one of a turn of the event loop, whoever sent the messages, one behind the
 * other. What waits is at most one message of each connection, as no more is read from it meanwhile.
 */
export class PeerSlices {
  private readonly options: Required<TurnsOptions>;
  private readonly waiting: Job[] = [];

  constructor({ waitClock, clock = () => performance.now() }: TurnsOptions) {
    this.options = { waitClock, clock };
  }

  /**
   * Work that is done within one turn is done when this returns; of longer work that is the first turn, and the promise
   * is of all.
   * @param isOver nobody is interested any more: what is left is not done
   * @param worked told of each further turn
   * @throws what the work throws in the first turn
   */
  run(steps: Steps, isOver: () => boolean, worked: (ms: number) => void = () => undefined): void | Promise<void> {
    const first = this.advance(steps);
    if (first === 'done') return;
    return new Promise<void>((done, failed) => this.later({ steps, isOver, worked, done, failed }, first));
  }

  /** One turn. @returns what is to be waited for before the next */
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
    if (after === undefined) this.queue(job);
    else after.then(() => this.queue(job), job.failed);
  }

  private queue(job: Job): void {
    this.waiting.push(job);
    if (this.waiting.length === 1) setImmediate(() => this.turn());
  }

  private turn(): void {
    const job = itemAt(this.waiting, 0);
    try {
      if (job.isOver()) job.steps.return();
      const state = this.options.waitClock.during(() => this.counted(job));
      if (state === 'done') job.done();
      else this.later(job, state);
    } catch (error) {
      job.failed(error);
    } finally {
      this.waiting.shift();
      if (this.waiting.length > 0) setImmediate(() => this.turn());
    }
  }

  /** A further turn, of which is told how long it took. */
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

/** Does work for a long list, a few entries at a time. */
export function* inPortions<T>(list: readonly T[], work: (portion: readonly T[]) => void): Steps {
  for (let at = 0; at < list.length; at += PORTION) {
    work(list.slice(at, at + PORTION));
    yield;
  }
}
