import { toHex } from '../../log/domain/bytes.js';
import { openLedger } from '../../projections/open-ledger.js';
import { createLog } from '../logging.js';
import { readArguments } from './arguments.js';
/** Where a data folder stands; of a running node too. */
export const status = {
    name: 'status',
    summary: 'prints where a data folder stands: head, solidified block, digest, position of the log',
    usage: 'tronicle status [-d <data folder>]',
    run,
};
async function run(args) {
    const { flags } = readArguments(args, {});
    const ledger = await openLedger({
        dataDir: flags.outputDirectory ?? 'output-directory',
        retention: 'all',
        checkpointVersion: 2,
        log: createLog({ destination: 2 }),
        readOnly: true,
    });
    try {
        const { seq, headNumber, headId, digest, solidifiedNumber } = ledger.position;
        const answer = {
            head: headNumber,
            headId: toHex(headId),
            solidified: solidifiedNumber,
            digest: toHex(digest),
            seq,
        };
        process.stdout.write(`${JSON.stringify(answer)}\n`);
    }
    finally {
        await ledger.close();
    }
    return 0;
}
//# sourceMappingURL=status.js.map