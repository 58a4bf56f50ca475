import { setTimeout as sleep } from 'node:timers/promises';
import type { GraphqlSource } from '../graphql-source.js';
import { type NodeStatus, readStatus } from '../status.js';

/** ms between two looks: blocks, what waits, sinks and projections change more often than a person reads. */
const LOOK_MS = 250;

interface SeenStatus {
  readonly version: number;
  readonly status: NodeStatus;
}

/** The status as all its subscribers see it; looked at only while somebody waits. */
export class StatusWatch {
  private readonly source: GraphqlSource;
  private seen: SeenStatus | undefined;
  private text = '';
  private lookedAt = 0;

  constructor(source: GraphqlSource) {
    this.source = source;
  }

  /** The newest status, as soon as it is another than that of a version; undefined when the signal ends the wait. */
  async after(version: number, signal: AbortSignal): Promise<SeenStatus | undefined> {
    while (!signal.aborted) {
      const seen = this.look();
      if (seen.version > version) return seen;
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return undefined;
  }

  private look(): SeenStatus {
    const nowMs = performance.now();
    if (this.seen !== undefined && nowMs - this.lookedAt < LOOK_MS / 2) return this.seen;
    this.lookedAt = nowMs;
    const status = readStatus(this.source);
    const { logSeq, pending, peers, projections, sinks, replica } = status;
    const text = JSON.stringify([logSeq, pending, peers, projections, sinks, replica]);
    if (this.seen === undefined || text !== this.text) this.seen = { version: (this.seen?.version ?? 0) + 1, status };
    this.text = text;
    return this.seen;
  }
}

/** One subscriber: each status replaces the one before, so that a slow client misses some and holds up nothing. */
export class StatusStream implements AsyncIterableIterator<NodeStatus> {
  private readonly watch: StatusWatch;
  private readonly ended = new AbortController();
  private version = 0;
  private last: NodeStatus | undefined;

  constructor(watch: StatusWatch) {
    this.watch = watch;
  }

  /** Of the log as it was last told. */
  get cursor(): string {
    return this.last?.cursor ?? '';
  }

  async next(): Promise<IteratorResult<NodeStatus>> {
    const seen = await this.watch.after(this.version, this.ended.signal);
    if (seen === undefined) return { done: true, value: undefined };
    this.version = seen.version;
    this.last = seen.status;
    return { done: false, value: seen.status };
  }

  async return(): Promise<IteratorResult<NodeStatus>> {
    this.ended.abort();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
