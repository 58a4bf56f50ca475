import { join } from 'node:path';
import { apiRelease } from '../../api/releases/releases.js';
import { PlaceFile, placeFileOf } from '../../api/streams/place-file.js';
import { ledgerOptions } from '../chain-config.js';
import { eventSinks } from './event-sinks.js';
import { executionNote, pastChangesOf } from './executed-changes.js';
import { SinkControl } from './sink-control.js';
import { SinkRegistry } from './sink-registry.js';
/** A stop of the node must end within ten seconds. */
export const NODE_PATIENCE = { quietMs: 1000, maxMs: 4000 };
/** An import is over when the sinks have what was imported; one that is away does not hold it up for long. */
export const IMPORT_PATIENCE = { quietMs: 20_000, maxMs: Number.MAX_SAFE_INTEGER };
/** Forwards what a running node makes irreversible. */
export function addSinks(node) {
    const { config, dataDir, chain, log } = node;
    const sinks = serveSinks({ config, dataDir, chain, log, patience: NODE_PATIENCE });
    node.add(sinks);
    return sinks;
}
/**
 * Starts forwarding to the configured sinks (`tronicle.sinks`, `event.subscribe`), as they were changed at run time.
 */
export function serveSinks({ config, dataDir, chain, log, patience, onStatus }) {
    const configured = [...config.tronicle.sinks, ...eventSinks(config, log)];
    const registry = new SinkRegistry(configured, join(dataDir, 'streams', 'sinks.json'));
    const runner = new LazyForwarder({ config, dataDir, chain, log }, (status) => {
        control.noteStatus(status);
        onStatus?.(status);
    });
    const control = new SinkControl(registry, runner);
    for (const { options, isPaused } of registry.all())
        if (!isPaused)
            runner.startSink(options);
    return {
        statuses: runner.statuses,
        control,
        close: async () => {
            await chain.ledger.flush();
            await runner.close(patience);
        },
    };
}
/** Loads and starts the forwarding thread with the first sink: most nodes have none. */
class LazyForwarder {
    statuses = new Map();
    options;
    onStatus;
    thread;
    constructor(options, onStatus) {
        this.options = options;
        this.onStatus = onStatus;
    }
    startSink(sink) {
        const { dataDir, chain } = this.options;
        // Internal transactions lie in the changes: what a sink has not passed on yet must not be forgotten.
        const place = new PlaceFile(placeFileOf(dataDir, sink.name)).read();
        chain.ledger.holdChanges(holder(sink.name), place?.seq ?? -1);
        this.thread ??= this.startThread();
        void this.thread.then((thread) => thread.startSink(sink));
    }
    async startThread() {
        const { dataDir, chain, config, log } = this.options;
        const { ForwarderThread } = await import('../../api/streams/forwarder-thread.js');
        return new ForwarderThread({
            ledger: chain.ledger,
            dataDir,
            sinks: [],
            addressPrefix: config.addressPrefix,
            parsesContracts: config.contractParse,
            laterTriggers: apiRelease(config.tronicle.release).laterTriggers,
            ...ledgerOptions(config),
            pastChanges: pastChangesOf(config, dataDir),
            log,
            onStatus: (status) => this.note(status),
        });
    }
    async stopSink(name) {
        const thread = await this.thread;
        await thread?.stopSink(name);
        this.options.chain.ledger.holdChanges(holder(name), undefined);
    }
    noteOn(sink) {
        return executionNote(this.options.chain.ledger, sink);
    }
    async close(patience) {
        const thread = await this.thread;
        await thread?.close(patience);
    }
    note(status) {
        const { name, state, seq } = status;
        this.statuses.set(name, status);
        const { ledger } = this.options.chain;
        if (state === 'forwarding')
            ledger.holdChanges(holder(name), seq);
        if (state === 'done')
            ledger.holdChanges(holder(name), undefined);
        this.onStatus(status);
    }
}
function holder(name) {
    return `sink ${name}`;
}
//# sourceMappingURL=serve-sinks.js.map