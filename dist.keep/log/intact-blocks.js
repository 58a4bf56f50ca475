import { join } from 'node:path';
import { readSeq } from './block-log.js';
import { equalBytes } from './domain/bytes.js';
import { LmdbFile, LmdbFileError } from './lmdb-file.js';
import { decodeEntry, hashOfEntry, NO_HASH, previousHashOfEntry, } from './log-entry.js';
/**
 * Visits the canonical blocks of a log in order, genesis first, up to the first damage. It needs neither LMDB nor an intact lookup
 * table, so it also gets the blocks out of a log that a start refuses.
 */
export function readIntactBlocks(dataDir, visit, onBase = () => { }) {
    const canonical = [];
    let begin = 0;
    const damage = walkEntries(dataDir, Number.POSITIVE_INFINITY, (entry) => {
        if (entry.kind === 'applied')
            canonical.push(entry.seq);
        if (entry.kind === 'reverted')
            canonical.pop();
        if (entry.kind === 'base') {
            begin = entry.number + 1;
            onBase(entry);
        }
    });
    let next = 0;
    walkEntries(dataDir, canonical.at(-1) ?? -1, (entry) => {
        if (entry.seq !== canonical[next] || entry.kind !== 'applied')
            return;
        next++;
        visit(entry);
    });
    const untilNumber = begin + canonical.length - 1;
    return damage === undefined ? { untilNumber } : { untilNumber, damage };
}
/** Entries up to `lastSeq`, as far as bytes, sequence and hash chain are right; returns what was wrong. */
function walkEntries(dataDir, lastSeq, visit) {
    let file;
    let seq = 0;
    let previousHash = NO_HASH;
    try {
        file = new LmdbFile(join(dataDir, 'log', 'data.mdb'));
        file.readTables();
        file.walkTable('entries', (key, value) => {
            const entry = readSeq(key) === seq ? decodeEntry(value) : undefined;
            if (entry?.seq !== seq || !equalBytes(previousHashOfEntry(value), previousHash)) {
                throw new LmdbFileError(`entry ${seq} is missing or not what was written`);
            }
            previousHash = Buffer.from(hashOfEntry(value));
            seq++;
            if (entry.seq <= lastSeq)
                visit(entry);
        });
        return undefined;
    }
    catch (error) {
        if (error instanceof LmdbFileError)
            return error.message;
        if (error instanceof RangeError)
            return `entry ${seq} is not readable`;
        throw error;
    }
    finally {
        file?.close();
    }
}
//# sourceMappingURL=intact-blocks.js.map