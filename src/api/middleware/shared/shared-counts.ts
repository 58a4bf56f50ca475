import { present } from '../../../primitives/assert.js';
import type { UseCount } from '../limit-state.js';

interface SharedCountsOptions {
  readonly buffer: SharedArrayBuffer;
  /** Names of the counts, in the same order in all threads. */
  readonly names: readonly string[];
  /** Number of threads. */
  readonly threads: number;
  /** Number of this thread, from 0. */
  readonly thread: number;
}

/**
 * Counts of connections and calls in memory that several threads share. A count has a field for the sum, and a field
 * per thread, so that the fields of an ended thread can be cleared. A second group of fields counts queued callers.
 */
export class SharedCounts {
  private readonly fields: Int32Array;
  private readonly options: SharedCountsOptions;

  constructor(options: SharedCountsOptions) {
    this.options = options;
    this.fields = new Int32Array(options.buffer);
  }

  static createBuffer({ names, threads }: Pick<SharedCountsOptions, 'names' | 'threads'>): SharedArrayBuffer {
    return new SharedArrayBuffer(Math.max(1, names.length * 2 * (threads + 1)) * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Returns the count with a name. @param max maximum of the sum over all threads */
  limited(name: string, max: number): UseCount {
    const { names, threads, thread } = this.options;
    const at = names.indexOf(name);
    present(names[at], 'every shared count has its name');
    const used = new SharedRow(this.fields, 2 * at, threads, thread);
    const queued = new SharedRow(this.fields, 2 * at + 1, threads, thread);
    return {
      threads,
      get queued() {
        return queued.total;
      },
      take: () => used.addBelow(max),
      release: () => used.add(-1),
      setQueued: (length) => queued.set(length),
    };
  }

  /** Sets the fields of a thread that has ended to 0. */
  clear(thread: number): void {
    const { names, threads } = this.options;
    for (let row = 0; row < 2 * names.length; row++) new SharedRow(this.fields, row, threads, thread).set(0);
  }
}

/** The fields of a count: the sum, then one field per thread. */
class SharedRow {
  private readonly fields: Int32Array;
  private readonly sum: number;
  private readonly own: number;

  constructor(fields: Int32Array, row: number, threads: number, thread: number) {
    this.fields = fields;
    this.sum = row * (threads + 1);
    this.own = this.sum + 1 + thread;
  }

  get total(): number {
    return Atomics.load(this.fields, this.sum);
  }

  add(amount: number): void {
    Atomics.add(this.fields, this.own, amount);
    Atomics.add(this.fields, this.sum, amount);
  }

  /**
   * Increments this thread's count if the sum of the counts of all threads is below a maximum.
   * @returns true if the count was incremented
   */
  addBelow(max: number): boolean {
    const { fields, sum, own } = this;
    for (let total = this.total; total < max; ) {
      const found = Atomics.compareExchange(fields, sum, total, total + 1);
      if (found === total) {
        Atomics.add(fields, own, 1);
        return true;
      }
      total = found;
    }
    return false;
  }

  /** Sets the field of this thread, and adds the difference to the sum. */
  set(value: number): void {
    const before = Atomics.exchange(this.fields, this.own, value);
    Atomics.add(this.fields, this.sum, value - before);
  }
}
