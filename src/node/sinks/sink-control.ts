import type { Logger } from 'pino';
import { UsageError } from '../../primitives/errors.js';
import { LOG_TRIGGER_TOPIC, TRIGGERS, type Trigger } from '../../streams/event-kinds.js';
import type { SinkStatus } from '../../streams/forwarding/sink-status.js';
import { backfillSinkOf, type SinkOptions } from '../../streams/sinks/sink-kinds.js';
import { shownSink, sinkToJson } from './sink-json.js';
import type { SinkJson, SinkRegistry } from './sink-registry.js';

/** Starts and stops sinks. */
export interface SinkRunner {
  startSink(sink: SinkOptions): void;
  stopSink(name: string): Promise<void>;
  /** Returns a note that the operator should read before the sink starts; undefined if none exists. */
  noteOn(sink: SinkOptions): string | undefined;
  readonly statuses: ReadonlyMap<string, SinkStatus>;
  /** Returns the number of blocks up to the head that a sink has not forwarded yet. */
  lagOf(status: SinkStatus): number;
  /** Deletes the status of a stopped sink, so that metrics and the status page do not show it. */
  removeSink(name: string): void;
}

export interface BackfillRequest {
  /** Sink whose records are backfilled. */
  readonly sink: string;
  readonly topic: string;
  readonly from: number;
  /** Last height of the backfill. If undefined, the backfill continues with new blocks. */
  readonly to?: number | undefined;
  /** Target: a Kafka topic, a schema of PostgreSQL, or the path of a file. */
  readonly into?: string | undefined;
}

/** Changes the sinks of a running node, one change at a time. */
export class SinkControl {
  private readonly registry: SinkRegistry;
  private readonly runner: SinkRunner;
  private readonly log: Logger;
  /** Final status of each complete backfill, by name. */
  private readonly finished = new Map<string, SinkStatus>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(registry: SinkRegistry, runner: SinkRunner, log: Logger) {
    this.registry = registry;
    this.runner = runner;
    this.log = log;
  }

  /**
   * Returns all sinks with their status and their lag in blocks. Appends the backfills that have completed since the
   * start of the node.
   */
  list(): readonly object[] {
    const { statuses } = this.runner;
    const sinks = this.registry.all().map(({ options, isPaused }) => {
      const status = statuses.get(options.name);
      return { ...shownSink(options), isPaused, status, ...(status && { lag: this.runner.lagOf(status) }) };
    });
    return [...sinks, ...[...this.finished].map(([name, status]) => ({ name, status }))];
  }

  add(json: SinkJson): Promise<void> {
    return this.next(async () => this.runner.startSink(this.registry.add(json)));
  }

  /** Removes a sink. Its cursor remains, so a new sink with the same name resumes at the same block. */
  remove(name: string): Promise<void> {
    return this.next(async () => {
      this.registry.find(name);
      // The sink keeps running if this change cannot be stored.
      this.registry.remove(name);
      await this.runner.stopSink(name);
      this.runner.removeSink(name);
    });
  }

  pause(name: string): Promise<void> {
    return this.next(async () => {
      this.registry.find(name);
      this.registry.setPaused(name, true);
      await this.runner.stopSink(name);
    });
  }

  /**
   * Starts a paused sink, or a sink that stopped with an error.
   * @throws {UsageError} the sink is running, or its name is unknown
   */
  resume(name: string): Promise<void> {
    return this.next(async () => {
      const { options, isPaused } = this.registry.find(name);
      const status = this.runner.statuses.get(name);
      if (!isPaused && status?.state !== 'stopped') throw new UsageError(notResumed(name, status));
      if (!isPaused) await this.runner.stopSink(name);
      this.registry.setPaused(name, false);
      this.runner.startSink(options);
    });
  }

  /** Replaces the filter of a sink. The new filter applies from the next forwarded block. */
  setFilter(name: string, filter: object): Promise<void> {
    return this.next(async () => {
      this.registry.setFilter(name, filter);
      const { options, isPaused } = this.registry.find(name);
      if (isPaused) return;
      await this.runner.stopSink(name);
      this.runner.startSink(options);
    });
  }

  /**
   * Starts a backfill as a new sink.
   * @returns its name, and a note for the operator if there is one
   * @throws {UsageError} invalid request
   */
  backfill(request: BackfillRequest): Promise<{ readonly sink: string; readonly note: string | undefined }> {
    return this.next(async () => {
      const sink = this.registry.newBackfill(backfillSink(this.registry.find(request.sink).options, request));
      const note = this.runner.noteOn(sink);
      this.runner.startSink(this.registry.add(sinkToJson(sink)));
      return { sink: sink.name, note };
    });
  }

  /**
   * Handles a new status of a sink. If the sink is a complete backfill, removes the sink and keeps its status for
   * {@link list}.
   */
  noteStatus(status: SinkStatus): void {
    const { name, state } = status;
    if (state !== 'done') return;
    this.next(async () => {
      await this.runner.stopSink(name);
      this.registry.remove(name);
      this.runner.removeSink(name);
      this.finished.set(name, status);
    }).catch((error: unknown) => {
      // The next start of the node finds the backfill complete and removes it then.
      this.log.error({ err: error, sink: name }, 'complete backfill not removed');
    });
  }

  private next<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(change);
    this.last = result.catch(() => undefined);
    return result;
  }
}

function notResumed(name: string, status: SinkStatus | undefined): string {
  const problem = status?.problem === undefined ? '' : `: ${status.problem}`;
  return `cannot resume sink ${name}, because it is neither paused nor stopped; its state is ${status?.state ?? 'starting'}${problem}`;
}

/**
 * Creates the sink of a backfill. The backfill sends the records of the base sink, with the same index and count. If
 * old records would follow newer records in the target of the base sink, the backfill needs a target of its own.
 * @throws {UsageError} invalid request, or a base sink that cannot be backfilled
 */
export function backfillSink(base: SinkOptions, { topic, from, to, into }: BackfillRequest): SinkOptions {
  const trigger = TRIGGERS.find((name) => name === topic.toLowerCase());
  if (trigger === undefined) throw new UsageError(`unknown topic ${topic}; use ${TRIGGERS.join(', ')}`);
  if (base.topics.includes(LOG_TRIGGER_TOPIC))
    throw new UsageError(
      `sink ${base.name} forwards log entries (topics = [log]), which cannot be backfilled; set another sink with --sink`,
    );
  if (base.finality === 'applied')
    throw new UsageError(
      `sink ${base.name} has finality = applied and cannot be backfilled; set a sink with finality = solidified with --sink`,
    );
  if (to !== undefined && to < from) throw new UsageError(`invalid range: --to ${to} is below --from ${from}`);
  const name = `${base.name}-${trigger}-from-${from}`;
  const topics: readonly Trigger[] = TRIGGERS.filter((one) => one === trigger || base.topics.includes(one));
  const isSent = (base.only ?? base.topics).includes(trigger);
  return {
    ...backfillSinkOf(base, { name, of: base.name, trigger, isSent, into }),
    name,
    topics,
    only: [trigger],
    from,
    ...(to !== undefined && { to }),
  };
}
