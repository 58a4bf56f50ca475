import { constants, setPriority } from 'node:os';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
if (!isMainThread && parentPort !== null) {
    // Before anything is loaded: that alone takes half a second of a core.
    yieldToOthers();
    const { serveForwarder } = await import('./serve-forwarder.js');
    await serveForwarder(parentPort, workerData);
}
/** Where cores are short, as in a long import, deciding goes first: a sink may lag, and its lag is shown. Priorities are a thread's own on Linux. */
function yieldToOthers() {
    if (process.platform === 'linux')
        setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
//# sourceMappingURL=forwarder-worker.js.map