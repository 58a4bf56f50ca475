import { pino } from 'pino';
import { openLedger } from '../../projections/open-ledger.js';
import { Forwarder } from './forwarder.js';
import { PastChangesThread } from './past-changes.js';
/** Forwards until it is told to close. */
export async function serveForwarder(port, data) {
    const { bell, level, retention, checkpointVersion, pastChanges, ...options } = data;
    // One thread writes the log: the lines go there.
    const log = pino({ level }, { write: (line) => port.postMessage({ line }) });
    const ledger = await openLedger({
        dataDir: options.dataDir,
        retention,
        checkpointVersion,
        log,
        readOnly: true,
        bell,
    });
    const forwarder = new Forwarder({
        ...options,
        ...(pastChanges && { openPastChanges: (name) => new PastChangesThread(pastChanges, name) }),
        ledger,
        log,
        onStatus: (status) => port.postMessage({ status }),
    });
    port.on('message', async ({ start, stop, close }) => {
        if (start !== undefined)
            forwarder.start(start);
        if (stop !== undefined) {
            await forwarder.stop(stop);
            port.postMessage({ stopped: stop });
        }
        if (close === undefined)
            return;
        await forwarder.close(close);
        // The bell is the writer's: closing rings it, nothing else.
        await ledger.close();
        port.postMessage({ closed: true });
        port.close();
    });
}
//# sourceMappingURL=serve-forwarder.js.map