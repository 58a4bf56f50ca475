import { LOG_TOPIC, TRIGGERS } from '../../api/streams/sink-options.js';
import { UsageError } from '../../log/domain/errors.js';
import { shownSink, sinkToJson } from './sink-json.js';
/** Sinks of a running node, as an operator changes them. One change at a time. */
export class SinkControl {
    registry;
    runner;
    last = Promise.resolve();
    constructor(registry, runner) {
        this.registry = registry;
        this.runner = runner;
    }
    list() {
        return this.registry.all().map(({ options, isPaused }) => ({
            ...shownSink(options),
            isPaused,
            status: this.runner.statuses.get(options.name),
        }));
    }
    add(json) {
        return this.next(async () => this.runner.startSink(this.registry.add(json)));
    }
    /** What it has passed on stays known: one that is added again under its name goes on there. */
    remove(name) {
        return this.next(async () => {
            this.registry.find(name);
            await this.runner.stopSink(name);
            this.registry.remove(name);
        });
    }
    pause(name) {
        return this.next(async () => {
            this.registry.find(name);
            this.registry.setPaused(name, true);
            await this.runner.stopSink(name);
        });
    }
    resume(name) {
        return this.next(async () => {
            const { options, isPaused } = this.registry.find(name);
            if (!isPaused)
                return;
            this.registry.setPaused(name, false);
            this.runner.startSink(options);
        });
    }
    /** Holds from the next block on that the sink passes on. */
    setFilter(name, filter) {
        return this.next(async () => {
            this.registry.setFilter(name, filter);
            const { options, isPaused } = this.registry.find(name);
            if (isPaused)
                return;
            await this.runner.stopSink(name);
            this.runner.startSink(options);
        });
    }
    /** Starts a back-fill as a sink of its own; answers its name, and what it takes. @throws {UsageError} */
    backfill(request) {
        return this.next(async () => {
            const sink = backfillSink(this.registry.find(request.sink).options, request);
            const note = this.runner.noteOn(sink);
            this.runner.startSink(this.registry.add(sinkToJson(sink)));
            return { sink: sink.name, note };
        });
    }
    /** A back-fill that came to its end is no sink any more. */
    noteStatus({ name, state }) {
        if (state === 'done')
            void this.next(async () => this.registry.remove(name));
    }
    next(change) {
        const result = this.last.then(change);
        this.last = result.catch(() => undefined);
        return result;
    }
}
/**
 * A back-fill gives the records that the sink would have sent of those blocks, index and count included, to a topic that the sink does not
 * send to itself: old records behind new ones would be in no order. @throws {UsageError}
 */
export function backfillSink(base, { topic, from, to, into }) {
    const trigger = TRIGGERS.find((name) => name === topic.toLowerCase());
    if (trigger === undefined)
        throw new UsageError(`there is no topic ${topic}, only ${TRIGGERS.join(', ')}`);
    if (base.topics.includes(LOG_TOPIC))
        throw new UsageError(`sink ${base.name} sends the log, which has no events`);
    if (base.finality === 'applied')
        throw new UsageError(`sink ${base.name} passes on blocks before they are irreversible: only others can be filled`);
    if (into === undefined && base.type === 'kafka' && (base.only ?? base.topics).includes(trigger))
        throw new UsageError(`sink ${base.name} sends ${trigger} itself: name another Kafka topic with --into`);
    if (to !== undefined && to < from)
        throw new UsageError(`a back-fill cannot end at ${to}, before it begins`);
    const name = `${base.name}-${trigger}-from-${from}`;
    const topics = TRIGGERS.filter((one) => one === trigger || base.topics.includes(one));
    return {
        ...base,
        name,
        topics,
        only: [trigger],
        from,
        ...(to !== undefined && { to }),
        path: (base.type === 'ndjson' ? into : undefined) ?? `${name}.ndjson`,
        topicNames: into === undefined ? base.topicNames : new Map([...base.topicNames, [trigger, into]]),
    };
}
//# sourceMappingURL=sink-control.js.map