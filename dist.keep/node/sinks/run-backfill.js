import { apiRelease } from '../../api/releases/releases.js';
import { Forwarder } from '../../api/streams/forwarder.js';
import { pastChangesOf } from './executed-changes.js';
/** Ends that no repetition changes. */
const ENDS = new Set(['done', 'stopped', 'closed']);
/** Runs a back-fill to its end where no node runs, and closes the folder; answers how it ended. */
export async function runBackfill({ config, dataDir, chain, log }, sink) {
    const { ledger } = chain;
    const { addressPrefix, contractParse: parsesContracts } = config;
    const { laterTriggers } = apiRelease(config.tronicle.release);
    const openPastChanges = pastChangesOf(config, dataDir).open;
    let forwarder;
    const status = await new Promise((resolve) => {
        const onStatus = (now) => {
            if (ENDS.has(now.state))
                resolve(now);
        };
        forwarder = new Forwarder({
            ...{
                ledger,
                dataDir,
                sinks: [sink],
                addressPrefix,
                parsesContracts,
                laterTriggers,
                openPastChanges,
                log,
                onStatus,
            },
        });
    });
    await forwarder?.close({ quietMs: 0, maxMs: 1000 });
    await chain.ledger.close();
    return status;
}
//# sourceMappingURL=run-backfill.js.map