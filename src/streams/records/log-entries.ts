import type { AppliedEntry, BaseEntry, LogEntry, RevertedEntry } from '../../log/log-entry.js';
import { encodeLogRecord, type LogRecord } from '../../log/log-record.js';
import type { LogRange } from '../../log/stream/log-pages.js';
import { mapPages, type Page } from '../../log/stream/page.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { LOG_TRIGGER_TOPIC } from '../event-kinds.js';
import type { BlockPosition } from '../follow/block-position.js';
import { isEntryInLog } from '../follow/log-moves.js';
import { solidifiedBy } from '../follow/solid-blocks.js';
import { SinkError } from '../sink-error.js';
import type { BlockRecords, EventRecord } from './event-record.js';
import { PART_BYTES_MAX, PARTS_MAX } from './log-parts.js';

interface LogEntriesOptions extends Omit<LogRange, 'fromSeq'> {
  readonly ledger: Ledger;
  /** The last forwarded entry; undefined to start with genesis. */
  readonly after: BlockPosition | undefined;
}

/**
 * Streams every log entry with its row changes, for read replicas. An `applied` entry and the `solidified` entry that
 * it caused are in one commit, and become two records of one block.
 * @throws {SinkError} the last forwarded entry is from another log, or changes are pruned
 */
export function logEntries({ ledger, after, ...range }: LogEntriesOptions): AsyncGenerator<Page<BlockRecords>> {
  if (after !== undefined && after.seq <= ledger.storedSeq && !isEntryInLog(ledger, after)) throw anotherLog(after);
  const fromSeq = after === undefined ? 0 : after.seq + 1;
  return mapPages(ledger.pages({ ...range, fromSeq }), (entries) => recordsOfEntries(ledger, entries));
}

function* recordsOfEntries(ledger: Ledger, entries: Iterable<LogEntry>): Generator<BlockRecords> {
  for (const entry of entries) if (entry.kind !== 'solidified') yield recordsOfEntry(ledger, entry);
}

/**
 * Returns the records of an entry. A `base` entry is the first entry of a log that `bootstrap` created. It has no row
 * changes, so a replica of such a log starts with a copy of the folder.
 */
function recordsOfEntry(ledger: Ledger, entry: AppliedEntry | RevertedEntry | BaseEntry): BlockRecords {
  const { seq, number } = entry;
  const change = entry.kind === 'reverted' ? 'reverted' : 'applied';
  const id = toHex(entry.id);
  const parentId = entry.kind === 'applied' ? toHex(entry.parentId) : '';
  const records = [recordOf(ledger, entry)];
  if (entry.kind === 'applied' && solidifiedBy(ledger, entry) !== undefined) {
    const caused = ledger.entry(seq + 1);
    const block = { number: caused.number, id: toHex(caused.id), parentId: '' };
    records.push({ ...recordOf(ledger, caused), change: caused.kind, block });
  }
  return { seq, change, number, id, parentId, readAt: Date.now(), records };
}

function recordOf(ledger: Ledger, { seq, kind, id }: LogEntry): EventRecord {
  const record = ledger.record(seq);
  if (kind === 'applied' && record.changes === undefined) throw changesPruned(seq);
  return { trigger: LOG_TRIGGER_TOPIC, key: toHex(id), payload: checkedSize(seq, record) };
}

function checkedSize(seq: number, record: LogRecord): Uint8Array {
  const payload = encodeLogRecord(record);
  if (payload.length <= PART_BYTES_MAX * (PARTS_MAX - 1)) return payload;
  throw new SinkError(
    `log entry ${seq} with its row changes has ${payload.length} bytes, but a replica accepts at most ${PART_BYTES_MAX * (PARTS_MAX - 1)}; the sink cannot forward this block`,
  );
}

function anotherLog({ seq, number, id }: BlockPosition): SinkError {
  return new SinkError(
    `the log topic ends with entry ${seq}, block ${number} (${id}), which is not in this log; the topic is from another data ` +
      'folder. Set another prefix for the sink, and use new data folders for its replicas',
  );
}

function changesPruned(seq: number): SinkError {
  return new SinkError(
    `the row changes of log entry ${seq} were deleted, so this data folder cannot fill a new log topic; use a new data folder, and ` +
      'configure the sink, or tronicle.history.retention = all, before its first start',
  );
}
