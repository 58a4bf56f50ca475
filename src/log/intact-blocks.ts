import { equalBytes } from '../primitives/bytes.js';
import { readSeq } from './block-key.js';
import { LmdbFile, LmdbFileError } from './lmdb/lmdb-file.js';
import { refuseNewerFormat } from './lmdb/log-format.js';
import { openMetaRow } from './lmdb/meta-row.js';
import {
  type AppliedEntry,
  type BaseEntry,
  decodeEntry,
  hashOfEntry,
  type LogEntry,
  NO_HASH,
  previousHashOfEntry,
} from './log-entry.js';
import { logFile } from './log-file.js';
import { decodePruneMark, PRUNE_KEY, type PruneMark } from './log-start.js';
import { unpackRow } from './rows/packed-row.js';

/** Result of reading a log up to its first damage. */
interface IntactPart {
  /** Height of the last visited block; -1 if not even genesis was readable. */
  readonly untilNumber: number;
  /** The damage that ended the read; undefined if the whole log was read. */
  readonly damage?: string;
}

/**
 * Visits the canonical blocks of a log in ascending height, up to the first damage. Uses neither LMDB nor the lookup
 * tables, so that it can export a log that fails the check at start.
 */
export function readIntactBlocks(
  dataDir: string,
  visit: (block: AppliedEntry) => void,
  onBase: (base: BaseEntry) => void = () => {},
): IntactPart {
  refuseNewerFormat(logFile(dataDir));
  const canonical: { readonly seq: number; readonly number: number }[] = [];
  let base = -1;
  const damage = walkEntries(dataDir, Number.POSITIVE_INFINITY, (entry) => {
    if (entry.kind === 'applied') canonical.push({ seq: entry.seq, number: entry.number });
    if (entry.kind === 'reverted') canonical.pop();
    if (entry.kind === 'base') {
      base = entry.number;
      onBase(entry);
    }
  });
  const last = canonical.at(-1);
  let next = 0;
  walkEntries(dataDir, last?.seq ?? -1, (entry) => {
    if (entry.seq !== canonical[next]?.seq || entry.kind !== 'applied') return;
    next++;
    visit(entry);
  });
  const untilNumber = last?.number ?? base;
  return damage === undefined ? { untilNumber } : { untilNumber, damage };
}

/**
 * Visits entries up to `lastSeq`, until bytes, sequence or hash chain are invalid. After entry 0, continues at the
 * first entry that was not pruned.
 * @returns the damage, if any
 */
function walkEntries(dataDir: string, lastSeq: number, visit: (entry: LogEntry) => void): string | undefined {
  let file: LmdbFile | undefined;
  let seq = 0;
  let previousHash: Uint8Array = NO_HASH;
  try {
    file = new LmdbFile(logFile(dataDir));
    file.readTables();
    const pruned = newestPruned(file);
    file.walkTable('entries', (key, value) => {
      const bytes = unpackRow(value) ?? value;
      const entry = readSeq(key) === seq ? decodeEntry(bytes) : undefined;
      if (entry?.seq !== seq || !equalBytes(previousHashOfEntry(bytes), previousHash)) {
        throw new LmdbFileError(`entry ${seq} is missing or corrupt`);
      }
      previousHash = Buffer.from(seq === 0 && pruned !== undefined ? pruned.hash : hashOfEntry(bytes));
      seq = seq === 0 && pruned !== undefined ? pruned.seq + 1 : seq + 1;
      if (entry.seq <= lastSeq) visit(entry);
    });
    return undefined;
  } catch (error) {
    if (error instanceof LmdbFileError) return error.message;
    if (error instanceof RangeError) return `entry ${seq} cannot be decoded`;
    throw error;
  } finally {
    file?.close();
  }
}

/** Returns the newest pruned entry; undefined if nothing was pruned, or if the table of facts is damaged. */
function newestPruned(file: LmdbFile): PruneMark | undefined {
  let found: PruneMark | undefined;
  try {
    file.walkTable('meta', (key, value) => {
      const row = key.toString() === PRUNE_KEY ? openMetaRow(PRUNE_KEY, value) : undefined;
      if (row !== undefined) found = decodePruneMark(Buffer.from(row));
    });
  } catch (error) {
    if (!(error instanceof LmdbFileError)) throw error;
  }
  return found;
}
