/**
 * Reason why a budget drops the bytes of a message. `full`: the limit of the budget or of the group is exceeded.
 * `stalled`: the message made too little progress within the time limit.
 */
export type DropReason = 'full' | 'stalled';

interface BudgetOptions {
  /** Maximum number of stored bytes of all messages together. */
  readonly bytesMax: number;
  /**
   * Time limit in ms for progress of a message. If a message makes no progress for this time, its bytes (its share) are
   * dropped. Undefined for no limit.
   */
  readonly stallMs?: number;
  /**
   * Number of bytes that must arrive to restart the time limit of a message. With a lower number, a peer could keep a
   * message open by sending single bytes.
   */
  readonly progressBytes?: number;
  /** Monotonic clock, in ms. */
  readonly now?: () => number;
}

interface ShareOptions {
  /** Called once when the budget drops the bytes of a message. The callback must free these bytes. */
  readonly drop: (reason: DropReason) => void;
  /** Group of the connection that sends or receives the message. Default: a new group without a limit. */
  readonly group?: ByteGroup | undefined;
  /** Messages with fewer stored bytes are never dropped as `stalled`. Default: 0. */
  readonly stallsFrom?: number;
}

/** Interval at which stalled shares are dropped, in ms. */
const CHECK_MS = 1000;
const PROGRESS_BYTES = 16 * 1024;

/** The messages of one connection, with a common limit in bytes. */
export class ByteGroup {
  bytes = 0;
  readonly bytesMax: number;

  constructor(bytesMax = Number.POSITIVE_INFINITY) {
    this.bytesMax = bytesMax;
  }
}

/**
 * Limits the bytes that remote peers make this thread store: unfinished requests, or unread answers. The bytes of one
 * message are a share. The shares of one connection are a group. Above the limit, the largest share of the largest
 * group is dropped, so a flood does not affect other clients.
 */
export class ByteBudget {
  readonly bytesMax: number;
  private readonly options: BudgetOptions;
  private readonly shares = new Set<ByteShare>();
  private sum = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: BudgetOptions) {
    this.options = options;
    this.bytesMax = options.bytesMax;
  }

  /** Total size of all open shares, in bytes. */
  get bytes(): number {
    return this.sum;
  }

  open({ drop, group = new ByteGroup(), stallsFrom = 0 }: ShareOptions): ByteShare {
    const { now = monotonicMs, stallMs, progressBytes = PROGRESS_BYTES } = this.options;
    const share = new ByteShare({
      drop,
      group,
      stallsFrom,
      now,
      progressBytes,
      changed: (by) => this.changed(by, share),
    });
    if (stallMs !== undefined) {
      this.timer ??= setInterval(() => this.dropStalled(), CHECK_MS).unref();
    }
    this.shares.add(share);
    return share;
  }

  /** Drops all shares that made no progress within the time limit. */
  dropStalled(): void {
    const { now = monotonicMs, stallMs = Number.POSITIVE_INFINITY } = this.options;
    const latest = now() - stallMs;
    for (const share of this.shares) if (share.isStalledSince(latest)) share.drop('stalled');
    if (this.shares.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private changed(by: number, share: ByteShare): void {
    this.sum += by;
    if (share.isClosed) this.shares.delete(share);
    else if (share.group.bytes > share.group.bytesMax) share.drop('full');
    while (this.sum > this.bytesMax) this.largest(share).drop('full');
  }

  private largest(first: ByteShare): ByteShare {
    let found = first;
    for (const share of this.shares) {
      const by = share.group.bytes - found.group.bytes;
      if (found.isClosed || by > 0 || (by === 0 && share.bytes > found.bytes)) found = share;
    }
    return found;
  }
}

interface ShareParts extends Required<ShareOptions> {
  readonly group: ByteGroup;
  readonly now: () => number;
  readonly progressBytes: number;
  /** Called after each change of a share. @param by number of added bytes; negative if bytes were removed */
  readonly changed: (by: number) => void;
}

/** Bytes of one peer message. */
class ByteShare {
  readonly group: ByteGroup;
  isClosed = false;
  private isStopped = false;
  private readonly parts: ShareParts;
  private count = 0;
  /** Time at which the time limit was last restarted, in ms. */
  private sinceMs = 0;
  private progress = 0;

  constructor(parts: ShareParts) {
    this.parts = parts;
    this.group = parts.group;
  }

  get bytes(): number {
    return this.count;
  }

  /**
   * Sets the number of stored bytes. Does nothing if the share is closed.
   * @param received number of bytes that arrived since the last call. After every `progressBytes` bytes, the time limit
   * starts again
   */
  set(bytes: number, received = 0): void {
    if (this.isClosed) return;
    this.progress += received;
    if (this.count === 0 || this.progress >= this.parts.progressBytes) {
      this.sinceMs = this.parts.now();
      this.progress = 0;
    }
    const by = bytes - this.count;
    if (by === 0) return;
    this.count = bytes;
    this.group.bytes += by;
    this.parts.changed(by);
  }

  /** Stops the time limit, because the message is complete, or because this node does not read the socket. */
  stopClock(): void {
    this.isStopped = true;
  }

  /** Restarts the time limit with its full duration. */
  startClock(): void {
    this.isStopped = false;
    this.sinceMs = this.parts.now();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.group.bytes -= this.count;
    this.parts.changed(-this.count);
  }

  drop(reason: DropReason): void {
    this.close();
    this.parts.drop(reason);
  }

  isStalledSince(ms: number): boolean {
    return !this.isStopped && this.count > 0 && this.count >= this.parts.stallsFrom && this.sinceMs <= ms;
  }
}

export type { ByteShare };

function monotonicMs(): number {
  return performance.now();
}
