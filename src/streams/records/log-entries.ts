import type { AppliedEntry, BaseEntry, LogEntry, RevertedEntry } from '../../log/log-entry.js';
import { encodeLogRecord, type LogRecord } from '../../log/log-record.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { LOG_TRIGGER_TOPIC } from '../event-kinds.js';
import type { BlockPosition } from '../follow/block-position.js';
import { isEntryInLog } from '../follow/log-moves.js';
import { solidifiedBy } from '../follow/solid-blocks.js';
import { SinkError } from '../sink-error.js';
import type { BlockRecords, EventRecord } from './event-record.js';
import { PART_BYTES_MAX, PARTS_MAX } from './log-parts.js';

interface LogEntriesOptions {
  readonly ledger: Ledger;
  /** The last entry that was passed on; without it the first one is genesis. */
  readonly after: BlockPosition | undefined;
  readonly signal?: AbortSignal;
}

/**
 * The log itself, entry by entry with its changes, for read replicas. An `applied` entry and the `solidified` one that
 * its block caused are one commit here, so they travel as one: two records of one block.
 * @throws {SinkError} another log than the one that was passed on; changes that are no longer kept
 */
export async function* logEntries({ ledger, after, signal }: LogEntriesOptions): AsyncGenerator<BlockRecords> {
  if (after !== undefined && after.seq <= ledger.storedSeq && !isEntryInLog(ledger, after)) throw anotherLog(after);
  const fromSeq = after === undefined ? 0 : after.seq + 1;
  for await (const entry of ledger.entries({ fromSeq, ...(signal && { signal }) })) {
    if (entry.kind !== 'solidified') yield recordsOfEntry(ledger, entry);
  }
}

/** Of a base the entry goes alone: its rows are no part of the log, and a replica begins with a copy of the folder. */
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
  if (kind === 'applied' && record.changes === undefined) throw notKept(seq);
  return { trigger: LOG_TRIGGER_TOPIC, key: toHex(id), payload: checkedSize(seq, record) };
}

function checkedSize(seq: number, record: LogRecord): Uint8Array {
  const payload = encodeLogRecord(record);
  if (payload.length <= PART_BYTES_MAX * (PARTS_MAX - 1)) return payload;
  throw new SinkError(`entry ${seq} with its changes is ${payload.length} bytes, more than a replica puts together`);
}

function anotherLog({ seq, number, id }: BlockPosition): SinkError {
  return new SinkError(
    `the topic of the log ends with entry ${seq}, block ${number} (${id}), which this log does not hold there: it is the log of ` +
      'another data folder. Give the sink another prefix, and its replicas new folders',
  );
}

function notKept(seq: number): SinkError {
  return new SinkError(
    `the changes of entry ${seq} are no longer kept, so the topic of the log cannot begin: it has to be among the sinks from the ` +
      'first start on, or tronicle.history.retention has to be all',
  );
}
