import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../log/domain/errors.js';
import { verifyInChild } from '../../projections/verify-in-child.js';
import { readArguments } from './arguments.js';
/** Reads everything in a data folder and compares it. */
export const verify = {
    name: 'verify',
    summary: 'reads log and state of a data folder whole: hash chain, checksums, and the digest of the state against the log',
    usage: 'tronicle verify [-d <data folder>]',
    run,
};
async function run(args) {
    const { flags } = readArguments(args, {});
    const dataDir = flags.outputDirectory ?? 'output-directory';
    if (!existsSync(join(dataDir, 'log', 'data.mdb')))
        throw new UsageError(`${dataDir} holds no Tronicle data`);
    process.stdout.write(`${JSON.stringify(await verifyInChild(dataDir))}\n`);
    return 0;
}
//# sourceMappingURL=verify.js.map