/** A scheduled event of a node. */
interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  readonly run: () => void | Promise<void>;
  /** Interval of a repeated event in ms; undefined for a single event. */
  readonly everyMs: number | undefined;
  isOver: boolean;
}

/** Owner of a clock and of timers. When the owner is down, all its timers end. */
export interface Owner {
  /** Time in ms by which the owner's clock is ahead. */
  skewMs: number;
  isDown: boolean;
}

/** The real time functions. Node.js reads them from `globalThis` at each call, so the simulation can replace them. */
const real = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
const realNow = Date.now;
const realPerformance = performance.now.bind(performance);
const realRandom = Math.random;

/** Resolves when all promises and ticks of the current turn have been processed. */
const turnEnds = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve));

/**
 * A clock that only scheduled events advance. Events run in the order of their times. Events with the same time run in
 * the order in which they were scheduled. While {@link run} runs, it replaces the clock of the process: `Date.now`,
 * `performance.now`, `setTimeout` and similar, and `Math.random`. These functions then belong to the node of the
 * current event.
 */
export class SimTime {
  nowMs: number;
  /** Owner of the event that is being executed. */
  current: Owner | undefined;
  private readonly heap: Event[] = [];
  private readonly random: () => number;
  private orders = 0;
  private workedMs = 0;
  /**
   * Maximum simulated duration of one call of `performance.now`, in ms. Work that checks its time budget is thus
   * interrupted at other points for each seed.
   */
  slownessMs = 0;

  constructor(startMs: number, random: () => number) {
    this.nowMs = startMs;
    this.random = random;
  }

  at(atMs: number, owner: Owner | undefined, run: () => void | Promise<void>): Event {
    return this.push(Math.max(atMs, this.nowMs), owner, run);
  }

  after(ms: number, owner: Owner | undefined, run: () => void | Promise<void>): Event {
    return this.at(this.nowMs + ms, owner, run);
  }

  /** Executes all events up to a time. */
  async run(untilMs: number): Promise<void> {
    this.install();
    try {
      for (let next = this.heap[0]; next !== undefined && next.atMs <= untilMs; next = this.heap[0]) {
        this.pop();
        if (next.isOver || next.owner?.isDown === true) continue;
        this.nowMs = next.atMs;
        this.current = next.owner;
        if (next.everyMs === undefined) next.isOver = true;
        else this.repeat(next, next.everyMs);
        const done = next.run();
        if (done instanceof Promise) await this.outside(done);
        await turnEnds();
      }
      this.nowMs = Math.max(this.nowMs, untilMs);
    } finally {
      this.current = undefined;
      this.restore();
    }
  }

  /** Waits for real work such as disk access, with the real time functions. This work takes no simulated time. */
  private async outside(work: Promise<void>): Promise<void> {
    this.restore();
    try {
      await work;
    } finally {
      this.install();
    }
  }

  private repeat(event: Event, everyMs: number): void {
    const again = event as { -readonly [Key in keyof Event]: Event[Key] };
    again.atMs = this.nowMs + everyMs;
    again.order = this.orders++;
    this.insert(again);
  }

  private push(atMs: number, owner: Owner | undefined, run: Event['run'], everyMs?: number): Event {
    const event: Event = { atMs, order: this.orders++, owner, run, everyMs, isOver: false };
    this.insert(event);
    return event;
  }

  private insert(event: Event): void {
    const { heap } = this;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }

  private readonly install = (): void => {
    const timer = (ms: number, run: () => void, everyMs?: number): unknown =>
      handleOf(this.push(this.nowMs + Math.max(1, ms || 0), this.current, run, everyMs));
    const end = (handle: unknown): void => {
      if (handle instanceof Handle) handle.event.isOver = true;
    };
    Object.assign(globalThis, {
      setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => timer(ms, () => run(...args)),
      setInterval: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        timer(ms, () => run(...args), Math.max(1, ms)),
      setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
        handleOf(this.push(this.nowMs, this.current, () => run(...args))),
      clearTimeout: end,
      clearInterval: end,
      clearImmediate: end,
    });
    Date.now = () => Math.floor(this.nowMs + (this.current?.skewMs ?? 0));
    performance.now = () => {
      this.workedMs += this.random() * this.slownessMs;
      return this.nowMs + this.workedMs;
    };
    Math.random = this.random;
  };

  private readonly restore = (): void => {
    Object.assign(globalThis, real);
    Date.now = realNow;
    performance.now = realPerformance;
    Math.random = realRandom;
  };
}

/** Replaces the timer object of Node.js. */
class Handle {
  readonly event: Event;

  constructor(event: Event) {
    this.event = event;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

const handleOf = (event: Event): Handle => new Handle(event);

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
