import { present } from '../../../primitives/assert.js';
import type { UseCount } from '../limit-state.js';

interface SharedCountsOptions {
  readonly buffer: SharedArrayBuffer;
  /** Names of the counts, the same in all threads. */
  readonly names: readonly string[];
  /** Number of threads, and the number of this thread from 0. */
  readonly threads: number;
  readonly thread: number;
}

/**
 * Counts of connections and calls in memory that several threads share. Each thread has its own field of each count, so
 * that the fields of a thread that ended can be cleared.
 */
export class SharedCounts {
  private readonly fields: Int32Array;
  private readonly options: SharedCountsOptions;

  constructor(options: SharedCountsOptions) {
    this.options = options;
    this.fields = new Int32Array(options.buffer);
  }

  static createBuffer({ names, threads }: Pick<SharedCountsOptions, 'names' | 'threads'>): SharedArrayBuffer {
    return new SharedArrayBuffer(Math.max(1, names.length * threads) * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Returns the count of a name with a maximum over all threads. */
  limited(name: string, max: number): UseCount {
    const count = this.count(name);
    return {
      isShared: true,
      take: () => {
        count.add(1);
        if (count.total() <= max) return true;
        count.add(-1);
        return false;
      },
      release: () => count.add(-1),
    };
  }

  /** Returns the count of a name without a maximum. */
  count(name: string): SharedCount {
    const { names, threads, thread } = this.options;
    const at = names.indexOf(name);
    present(names[at], 'every shared count has its name');
    return new SharedCount(this.fields, at * threads, threads, thread);
  }

  /** Sets the fields of a thread that ended to 0. */
  clear(thread: number): void {
    const { names, threads } = this.options;
    for (let at = 0; at < names.length; at++) Atomics.store(this.fields, at * threads + thread, 0);
  }
}

/** A count as one thread sees it. */
class SharedCount {
  private readonly fields: Int32Array;
  private readonly first: number;
  private readonly threads: number;
  private readonly own: number;

  constructor(fields: Int32Array, first: number, threads: number, thread: number) {
    this.fields = fields;
    this.first = first;
    this.threads = threads;
    this.own = first + thread;
  }

  add(amount: number): void {
    Atomics.add(this.fields, this.own, amount);
  }

  /** Sets the field of this thread. */
  set(value: number): void {
    Atomics.store(this.fields, this.own, value);
  }

  total(): number {
    let sum = 0;
    for (let at = 0; at < this.threads; at++) sum += Atomics.load(this.fields, this.first + at);
    return sum;
  }
}
