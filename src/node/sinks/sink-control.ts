import { UsageError } from '../../primitives/errors.js';
import { LOG_TRIGGER_TOPIC, TRIGGERS, type Trigger } from '../../streams/event-kinds.js';
import type { SinkStatus } from '../../streams/forwarding/forward.js';
import { backfillSinkOf, type SinkOptions } from '../../streams/sinks/sink-kinds.js';
import { shownSink, sinkToJson } from './sink-json.js';
import type { SinkJson, SinkRegistry } from './sink-registry.js';

/** What runs sinks. */
export interface SinkRunner {
  startSink(sink: SinkOptions): void;
  stopSink(name: string): Promise<void>;
  /** What an operator must know before a sink begins. */
  noteOn(sink: SinkOptions): string | undefined;
  readonly statuses: ReadonlyMap<string, SinkStatus>;
}

export interface BackfillRequest {
  /** Sink whose records are to be filled in. */
  readonly sink: string;
  readonly topic: string;
  readonly from: number;
  /** Last height; without it the back-fill goes on with live blocks. */
  readonly to?: number | undefined;
  /** Kafka topic, or path of a file, that gets the records. */
  readonly into?: string | undefined;
}

/** Sinks of a running node, as an operator changes them. One change at a time. */
export class SinkControl {
  private readonly registry: SinkRegistry;
  private readonly runner: SinkRunner;
  private last: Promise<unknown> = Promise.resolve();

  constructor(registry: SinkRegistry, runner: SinkRunner) {
    this.registry = registry;
    this.runner = runner;
  }

  list(): readonly object[] {
    return this.registry.all().map(({ options, isPaused }) => ({
      ...shownSink(options),
      isPaused,
      status: this.runner.statuses.get(options.name),
    }));
  }

  add(json: SinkJson): Promise<void> {
    return this.next(async () => this.runner.startSink(this.registry.add(json)));
  }

  /** What it has passed on stays known: one that is added again under its name goes on there. */
  remove(name: string): Promise<void> {
    return this.next(async () => {
      this.registry.find(name);
      await this.runner.stopSink(name);
      this.registry.remove(name);
    });
  }

  pause(name: string): Promise<void> {
    return this.next(async () => {
      this.registry.find(name);
      this.registry.setPaused(name, true);
      await this.runner.stopSink(name);
    });
  }

  resume(name: string): Promise<void> {
    return this.next(async () => {
      const { options, isPaused } = this.registry.find(name);
      if (!isPaused) return;
      this.registry.setPaused(name, false);
      this.runner.startSink(options);
    });
  }

  /** Holds from the next block on that the sink passes on. */
  setFilter(name: string, filter: object): Promise<void> {
    return this.next(async () => {
      this.registry.setFilter(name, filter);
      const { options, isPaused } = this.registry.find(name);
      if (isPaused) return;
      await this.runner.stopSink(name);
      this.runner.startSink(options);
    });
  }

  /** Starts a back-fill as a sink of its own; answers its name, and what it takes. @throws {UsageError} */
  backfill(request: BackfillRequest): Promise<{ readonly sink: string; readonly note: string | undefined }> {
    return this.next(async () => {
      const sink = backfillSink(this.registry.find(request.sink).options, request);
      const note = this.runner.noteOn(sink);
      this.runner.startSink(this.registry.add(sinkToJson(sink)));
      return { sink: sink.name, note };
    });
  }

  /** A back-fill that came to its end is no sink any more. */
  noteStatus({ name, state }: SinkStatus): void {
    if (state === 'done') void this.next(async () => this.registry.remove(name));
  }

  private next<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(change);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/**
 * A back-fill gives the records that the sink would have sent of those blocks, index and count included, to a topic
 * that the sink does not send to itself: old records behind new ones would be in no order. @throws {UsageError}
 */
export function backfillSink(base: SinkOptions, { topic, from, to, into }: BackfillRequest): SinkOptions {
  const trigger = TRIGGERS.find((name) => name === topic.toLowerCase());
  if (trigger === undefined) throw new UsageError(`there is no topic ${topic}, only ${TRIGGERS.join(', ')}`);
  if (base.topics.includes(LOG_TRIGGER_TOPIC))
    throw new UsageError(`sink ${base.name} sends the log, which has no events`);
  if (base.finality === 'applied')
    throw new UsageError(`sink ${base.name} passes on blocks before they are irreversible: only others can be filled`);
  if (to !== undefined && to < from) throw new UsageError(`a back-fill cannot end at ${to}, before it begins`);
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
