import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DamageError } from '../log/domain/errors.js';
/** Up to this size of both data files together a start waits for the full read, some two seconds. */
const FULL_CHECK_BYTES_MAX = 256 * 1024 * 1024;
/**
 * Runs the full check in a process of its own: whatever a damaged file does to it, this process lives and can say so.
 * @throws {DamageError} also when the child ends without an answer.
 */
export async function verifyInChild(dataDir, { part = 'all', besideRate, signal, onProgress } = {}) {
    const program = fileURLToPath(import.meta.url.replace(/verify-in-child(\.[jt]s)$/, 'verify-child$1'));
    const options = process.execArgv.filter((option) => !option.startsWith('--inspect') && !option.startsWith('--cpu-prof'));
    const rate = besideRate === undefined ? [] : [String(besideRate)];
    const child = spawn(process.execPath, [...options, program, dataDir, part, ...rate], {
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(signal === undefined ? {} : { signal }),
    });
    // A check beside the node does not outlive it.
    const end = () => child.kill();
    if (besideRate !== undefined)
        process.once('exit', end);
    const answers = [];
    let errors = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
        const said = parse(line);
        if (said !== undefined && 'progress' in said)
            onProgress?.(said.progress);
        else if (said !== undefined)
            answers.push(said);
    });
    child.stderr.on('data', (chunk) => {
        errors = `${errors}${chunk.toString()}`.slice(-2000);
    });
    const ending = await new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    process.off('exit', end);
    const [answer] = answers;
    if (answer === undefined) {
        throw new DamageError(`${dataDir} could not be checked, the check ended with ${ending}; rebuild the state with 'tronicle replay', or the log with ` +
            `'tronicle export --until <last intact block>' and 'tronicle import' into a new folder. ${errors.trim()}`);
    }
    if ('damage' in answer)
        throw new DamageError(answer.damage);
    return answer.report;
}
/** Whether a start should wait for {@link verifyInChild}, or let it run beside. */
export function isSmallEnoughToWait(dataDir) {
    const bytes = ['log', 'state'].map((folder) => statSync(join(dataDir, folder, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0);
    return bytes.reduce((sum, size) => sum + size, 0) <= FULL_CHECK_BYTES_MAX;
}
function parse(output) {
    try {
        return JSON.parse(output);
    }
    catch {
        return undefined;
    }
}
//# sourceMappingURL=verify-in-child.js.map