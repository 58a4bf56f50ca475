import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DamageError } from '../log/domain/errors.js';
import { CheckPace } from './check-pace.js';
import { PROJECTIONS_FOLDER } from './projection-database.js';
import { verifyLedger } from './verify-ledger.js';
const [, , dataDir = '', part, rate] = process.argv;
say(answer(dataDir));
function answer(folder) {
    try {
        // With a rate the node runs meanwhile.
        const isWritten = rate !== undefined;
        const bytesTotal = ['log', 'state', PROJECTIONS_FOLDER]
            .map((name) => statSync(join(folder, name, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0)
            .reduce((sum, size) => sum + size, 0);
        const pace = new CheckPace(isWritten ? Number(rate) : undefined, (bytes) => say({ progress: { bytes, bytesTotal } }));
        return { report: verifyLedger(folder, { logOnly: part === 'log', isWritten, onRead: pace.spend }) };
    }
    catch (error) {
        if (error instanceof DamageError)
            return { damage: error.message };
        throw error;
    }
}
function say(line) {
    process.stdout.write(`${JSON.stringify(line)}\n`);
}
//# sourceMappingURL=verify-child.js.map