import type { Logger } from 'pino';
import type { AppliedEntry, LogEntry } from '../../log/log-entry.js';
import { TronError } from '../../primitives/errors.js';
import type { HoldChanges, Ledger } from '../ledger/ledger.js';
import type { StateRow } from '../state/state-reader.js';
import type { ProjectedBlock, Projection, ProjectionBit } from './projection.js';
import type { ProjectionDatabase, ProjectionWrite } from './projection-database.js';

interface RunnerOptions {
  readonly ledger: Ledger;
  /** Reports the progress of each projection to the writer. */
  readonly holdChanges: HoldChanges;
  readonly database: ProjectionDatabase;
  readonly projections: readonly Projection[];
  readonly log: Logger;
}

const BATCH_ENTRIES_MAX = 200;
/** Time slice in ms, after which other work on the thread gets control. */
const TURN_MS = 10;

/**
 * Runs all projections until `signal` aborts. Rejects with the first error. Each projection follows the log from its
 * own cursor, so a newly enabled one catches up while the node runs. Rows and cursor of a batch are committed together.
 */
export async function runProjections(options: RunnerOptions, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  await Promise.all(
    options.projections.map((projection) =>
      follow(options, projection, both).catch((error: unknown) => {
        // The data it needs was already deleted, so nothing is retained for it.
        if (isGone(error)) options.holdChanges(holderOf(projection), undefined);
        stop.abort();
        throw error;
      }),
    ),
  );
}

function holderOf({ name }: Projection): string {
  return `projection ${name}`;
}

function isGone(error: unknown): boolean {
  return error instanceof TronError && (error.code === 'HISTORY_NOT_KEPT' || error.code === 'LOG_CUT');
}

async function follow(
  { ledger, holdChanges, database, log }: RunnerOptions,
  projection: Projection,
  signal: AbortSignal,
): Promise<void> {
  const { name, version } = projection;
  let cursor = database.cursor(name);
  if (cursor?.version !== version) {
    log.info({ projection: name, version }, 'projection rebuild started');
    cursor = { version, seq: -1 };
    database.clear(name, cursor);
  }
  let batch = new Batch();
  let { seq } = cursor;
  const holder = holderOf(projection);
  holdChanges(holder, seq);
  let turnEnd = performance.now() + TURN_MS;
  for await (const entry of ledger.entries({ fromSeq: seq + 1, signal })) {
    if (entry.seq !== ledger.seqAfter(seq))
      throw new TronError('LOG_HOLE', `projection ${name}: received entry ${entry.seq} after entry ${seq}`);
    seq = entry.seq;
    fold(ledger, projection, entry, batch);
    if (seq >= ledger.storedSeq || batch.entries >= BATCH_ENTRIES_MAX) {
      database.commit(name, batch.writes(), { version, seq });
      holdChanges(holder, seq);
      batch = new Batch();
    }
    if (performance.now() < turnEnd) continue;
    await new Promise((resolve) => setImmediate(resolve));
    turnEnd = performance.now() + TURN_MS;
  }
}

function fold(ledger: Ledger, projection: Projection, entry: LogEntry, batch: Batch): void {
  batch.entries++;
  if (entry.kind === 'applied') {
    for (const row of projection.apply(projected(ledger, entry))) {
      if ('bit' in row) batch.setBit(row, true);
      else batch.put(row);
    }
  } else if (entry.kind === 'reverted') {
    const block = ledger.entryOfId(entry.id);
    if (block === undefined)
      throw new TronError('LOG_HOLE', `entry ${entry.seq} reverts a block that is not in the log`);
    for (const row of projection.apply(projected(ledger, block))) {
      if ('bit' in row) batch.setBit(row, false);
      else batch.remove(row.key);
    }
  }
}

function projected(ledger: Ledger, entry: AppliedEntry): ProjectedBlock {
  return {
    entry,
    changes: () => {
      const changes = ledger.changes(entry.seq);
      if (changes) return changes;
      throw new TronError('HISTORY_NOT_KEPT', `the changes of block ${entry.number} are not retained`);
    },
  };
}

/** Rows of several entries. A row removed by a later entry of the batch is not written. */
class Batch {
  entries = 0;
  private readonly rows = new Map<string, StateRow | undefined>();
  private readonly bits = new Map<string, { readonly size: number; readonly places: Map<number, boolean> }>();

  put(row: StateRow): void {
    this.rows.set(Buffer.from(row.key).toString('latin1'), row);
  }

  remove(key: Uint8Array): void {
    this.rows.set(Buffer.from(key).toString('latin1'), undefined);
  }

  setBit({ key, bit, bits: size }: ProjectionBit, isSet: boolean): void {
    const text = Buffer.from(key).toString('latin1');
    const known = this.bits.get(text);
    if (known !== undefined) known.places.set(bit, isSet);
    else this.bits.set(text, { size, places: new Map([[bit, isSet]]) });
  }

  writes(): ProjectionWrite {
    const put: StateRow[] = [];
    const remove: Uint8Array[] = [];
    for (const [text, row] of [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (row) put.push(row);
      else remove.push(Buffer.from(text, 'latin1'));
    }
    const bits = [...this.bits]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([text, set]) => ({ key: Buffer.from(text, 'latin1'), ...set }));
    return { put, remove, bits };
  }
}
