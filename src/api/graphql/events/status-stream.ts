import { setTimeout as sleep } from 'node:timers/promises';
import type { GraphqlSource } from '../graphql-source.js';
import { type NodeStatus, readStatus } from '../status.js';

/** Interval in ms at which each subscription checks if the status has changed. */
const CHECK_MS = 250;

interface SeenStatus {
  readonly version: number;
  readonly status: NodeStatus;
}

/**
 * Current status of the node, shared by all subscribers. The status is read only while a subscriber waits for a
 * change.
 */
export class StatusWatch {
  private readonly source: GraphqlSource;
  private latest: SeenStatus | undefined;
  private text = '';
  private checkedAt = 0;

  constructor(source: GraphqlSource) {
    this.source = source;
  }

  /** Returns the newest status as soon as its version is above `version`; undefined if the signal aborts. */
  async after(version: number, signal: AbortSignal): Promise<SeenStatus | undefined> {
    while (!signal.aborted) {
      const latest = this.check();
      if (latest.version > version) return latest;
      await sleep(CHECK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return undefined;
  }

  private check(): SeenStatus {
    const nowMs = performance.now();
    if (this.latest !== undefined && nowMs - this.checkedAt < CHECK_MS / 2) return this.latest;
    this.checkedAt = nowMs;
    const status = readStatus(this.source);
    const { logSeq, pending, peers, projections, sinks, replica, storageProblem } = status;
    const text = JSON.stringify([logSeq, pending, peers, projections, sinks, replica, storageProblem]);
    if (this.latest === undefined || text !== this.text)
      this.latest = { version: (this.latest?.version ?? 0) + 1, status };
    this.text = text;
    return this.latest;
  }
}

/** Status subscription of one client. A new status replaces an unread one, so a slow client misses some statuses. */
export class StatusStream implements AsyncIterableIterator<NodeStatus> {
  private readonly watch: StatusWatch;
  private readonly ended = new AbortController();
  private version = 0;
  private last: NodeStatus | undefined;

  constructor(watch: StatusWatch) {
    this.watch = watch;
  }

  /** Cursor of the position in the block log at which the last sent status was read. */
  get cursor(): string {
    return this.last?.cursor ?? '';
  }

  async next(): Promise<IteratorResult<NodeStatus>> {
    const next = await this.watch.after(this.version, this.ended.signal);
    if (next === undefined) return { done: true, value: undefined };
    this.version = next.version;
    this.last = next.status;
    return { done: false, value: next.status };
  }

  async return(): Promise<IteratorResult<NodeStatus>> {
    this.ended.abort();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
