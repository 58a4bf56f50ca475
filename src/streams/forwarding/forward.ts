import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { LOG_TRIGGER_TOPIC } from '../event-kinds.js';
import type { BlockPosition } from '../follow/block-position.js';
import { isEntryInLog } from '../follow/log-moves.js';
import { movesSince } from '../follow/past-moves.js';
import { isInLog, solidBlocks, UndoneBlockError } from '../follow/solid-blocks.js';
import type { BlockRecords } from '../records/event-record.js';
import { logEntries } from '../records/log-entries.js';
import type { RecordMaker } from '../records/record-maker.js';
import { SinkError } from '../sink-error.js';
import type { Sink } from '../sinks/sink.js';
import type { SinkOptions } from '../sinks/sink-kinds.js';
import { CatchUpThrottle } from './catch-up-throttle.js';

/** Status of a sink for metrics and the status page. */
export interface SinkStatus {
  readonly name: string;
  /**
   * `retrying`: the sink does not accept records at the moment. `stopped`: the operator must act. `done`: the backfill
   * is complete.
   */
  readonly state: 'starting' | 'forwarding' | 'retrying' | 'stopped' | 'closed' | 'done';
  /** Height and seq of the last forwarded block, -1 for none. */
  readonly number: number;
  readonly seq: number;
  /** Number of records forwarded since the start. */
  readonly records: number;
  /** Reason why it is not forwarding. */
  readonly problem?: string;
}

interface ForwardOptions {
  readonly ledger: Ledger;
  readonly sink: Sink;
  readonly maker: RecordMaker;
  /** The part of the log to forward. */
  readonly extent?: Partial<Pick<SinkOptions, 'topics' | 'finality' | 'from' | 'to' | 'repeats'>>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Signal for an orderly end: `forward` then ends after it has forwarded the whole log. */
  readonly drain: AbortSignal;
  readonly onStatus?: (status: SinkStatus) => void;
}

const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 5000;

/**
 * Forwards every solidified block to a sink once, in order. A failed sink is reopened and returns its own position. At
 * most two batches are in memory. Ends at an abort, or when a retry cannot help. Never throws.
 */
export async function forward(options: ForwardOptions): Promise<void> {
  const { sink, log, signal, extent = {} } = options;
  const status = new Status(options);
  let wait = RETRY_MS_MIN;
  let beginsAnew = extent.repeats === true;
  let floor: BlockPosition | undefined;
  while (!signal.aborted) {
    try {
      const place = await sink.open();
      const begins = beginsAnew || place === undefined;
      const after = begins ? placeBefore(options.ledger, extent.from) : place;
      if (begins) floor ??= floorOf(options, after);
      status.opened(after);
      log.info({ sink: sink.name, after: after?.number ?? null }, 'sink open');
      const isKnown = extent.finality === 'applied' ? isEntryInLog : isInLog;
      if (after !== undefined && !isKnown(options.ledger, after)) {
        log.warn({ sink: sink.name, ...after }, 'sink waiting: last forwarded block is not in this log');
      }
      await pump(options, { after, floor }, (blocks) => {
        wait = RETRY_MS_MIN;
        beginsAnew = false;
        status.passed(blocks);
      });
      break;
    } catch (error) {
      if (signal.aborted) break;
      const problem = error instanceof Error ? error.message : String(error);
      if (error instanceof SinkError || error instanceof UndoneBlockError) {
        log.error({ sink: sink.name, err: error }, problem);
        status.change('stopped', problem);
        await sink.close().catch(() => undefined);
        return;
      }
      log.warn({ sink: sink.name, err: error, retryMs: wait }, 'sink retrying');
      status.change('retrying', problem);
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      wait = Math.min(wait * 2, RETRY_MS_MAX);
    }
  }
  await sink.close().catch((error: unknown) => log.warn({ sink: sink.name, err: error }, 'sink close failed'));
  status.change(extent.to !== undefined && status.passedUpTo >= extent.to ? 'done' : 'closed');
}

/** Position at which a sink starts or resumes. */
interface Start {
  readonly after: BlockPosition | undefined;
  /** No block up to this one is reported as solidified, because it was reported before or was not requested. */
  readonly floor: BlockPosition | undefined;
}

/**
 * Returns the floor of a sink at its start. By default it is the block below the first one to forward. For a sink that
 * repeats past blocks at every start, it is the newest past block.
 */
function floorOf(
  { ledger, extent: { from = 0, repeats = false } = {} }: ForwardOptions,
  after: BlockPosition | undefined,
) {
  return repeats ? placeBefore(ledger, Math.max(from, ledger.position.solidifiedNumber)) : after;
}

/** Writes one batch while the next one is created. */
async function pump(
  options: ForwardOptions,
  start: Start,
  onPassed: (blocks: readonly BlockRecords[]) => void,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const batches = batchesAfter({ ...options, signal }, start);
  try {
    let upcoming = batches.next();
    // Avoids an unhandled rejection; a read error is handled where `upcoming` is awaited.
    upcoming.catch(() => undefined);
    for (;;) {
      const batch = await upcoming;
      if (batch.done === true) return;
      upcoming = batches.next();
      upcoming.catch(() => undefined);
      await options.sink.write(batch.value);
      onPassed(batch.value);
    }
  } finally {
    stop.abort();
    await batches.return(undefined).catch(() => undefined);
  }
}

/**
 * Yields batches of whole blocks: all blocks that the log has now and the sink accepts, at least one. During catch-up
 * it pauses between turns. The execution of blocks then has priority, and there are fewer batches, of which each costs
 * for example a transaction.
 */
async function* batchesAfter(options: ForwardOptions, start: Start): AsyncGenerator<readonly BlockRecords[]> {
  const { sink, ledger, drain, signal } = options;
  const blocks = recordsAfter(options, start);
  const rush = new CatchUpThrottle(ledger);
  const ends = AbortSignal.any([signal, drain]);
  let passed = start.after?.number ?? -1;
  let next = blocks.next();
  let batch = new Batch(sink);
  for (;;) {
    // Avoids an unhandled rejection; it is handled where `next` is awaited.
    next.catch(() => undefined);
    if (batch.blocks.length === 0) await rush.rest(passed, ends);
    if (!(await settlesWithin(next))) {
      if (batch.blocks.length === 0) {
        if (drain.aborted && !(await settlesWithin(next, DRAIN_MS))) return;
        await settlesOrAborts(next, drain);
        continue;
      }
      yield batch.blocks;
      batch = new Batch(sink);
      continue;
    }
    const block = await next;
    if (block.done === true) break;
    batch.add(block.value);
    passed = block.value.number;
    next = blocks.next();
    if (!batch.isFull) continue;
    yield batch.blocks;
    batch = new Batch(sink);
  }
  if (batch.blocks.length > 0) yield batch.blocks;
}

async function* recordsAfter(
  { ledger, maker, signal, extent: { topics, finality, to } = {} }: ForwardOptions,
  { after, floor }: Start,
): AsyncGenerator<BlockRecords> {
  if (topics?.includes(LOG_TRIGGER_TOPIC)) return yield* logEntries({ ledger, after, signal });
  if (finality === 'applied') {
    const moves = movesSince({ ledger, after, floor, signal, form: maker.form });
    for await (const move of moves) yield maker.recordsOfMove(move);
    return;
  }
  if (to !== undefined && after !== undefined && after.number >= to) return;
  for await (const block of solidBlocks({ ledger, after, signal })) {
    await maker.prepare(block, signal);
    yield maker.recordsOf(block);
    if (block.entry.number === to) return;
  }
}

/** Returns the block below the start height of a backfill. @throws {SinkError} it is not solidified yet */
function placeBefore(ledger: Ledger, from: number | undefined): BlockPosition | undefined {
  if (from === undefined || from === 0) return undefined;
  if (from <= ledger.beginNumber)
    throw new SinkError(`cannot start at block ${from}; the log starts above block ${ledger.beginNumber}`);
  const entry = from <= ledger.position.solidifiedNumber + 1 ? ledger.block(from - 1) : undefined;
  if (entry === undefined)
    throw new SinkError(`cannot start at block ${from}; the solidified block is ${ledger.position.solidifiedNumber}`);
  return { seq: entry.seq, number: entry.number, id: toHex(entry.id) };
}

/** Maximum number of blocks in a batch. Blocks without records cost little, but must show up in the status. */
const BATCH_BLOCKS_MAX = 2000;
/**
 * If no new entry arrives for this time (ms), a reader that is shutting down is considered to have read the whole log.
 */
const DRAIN_MS = 50;

class Batch {
  readonly blocks: BlockRecords[] = [];
  private readonly limits: Sink['batch'];
  private records = 0;
  private bytes = 0;

  constructor({ batch }: Sink) {
    this.limits = batch;
  }

  get isFull(): boolean {
    const { limits, records, bytes, blocks } = this;
    return records >= limits.records || bytes >= limits.bytes || blocks.length >= BATCH_BLOCKS_MAX;
  }

  add(block: BlockRecords): void {
    this.blocks.push(block);
    this.records += block.records.length;
    for (const { payload } of block.records) this.bytes += payload.length;
  }
}

/**
 * Returns true if the promise settles within the time limit. An entry that is stored arrives within one turn of the
 * event loop. A later entry arrives when the writer appends it.
 */
async function settlesWithin(next: Promise<unknown>, ms = 0): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  next.then(note, note);
  await (ms === 0 ? turn() : sleep(ms));
  return settled;
}

async function settlesOrAborts(next: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    next.then(end, end);
  });
}

class Status {
  private readonly options: ForwardOptions;
  private number = -1;
  private seq = -1;
  private records = 0;

  constructor(options: ForwardOptions) {
    this.options = options;
    this.change('starting');
  }

  /** Height of the last forwarded block. */
  get passedUpTo(): number {
    return this.number;
  }

  opened(after: BlockPosition | undefined): void {
    this.number = after?.number ?? -1;
    this.seq = after?.seq ?? -1;
    this.change('forwarding');
  }

  passed(blocks: readonly BlockRecords[]): void {
    const newest = present(blocks.at(-1), 'a batch has at least one block');
    this.number = newest.number;
    this.seq = newest.seq;
    for (const { records } of blocks) this.records += records.length;
    this.change('forwarding');
  }

  change(state: SinkStatus['state'], problem?: string): void {
    const { number, seq, records } = this;
    const name = this.options.sink.name;
    this.options.onStatus?.({ name, state, number, seq, records, ...(problem !== undefined && { problem }) });
  }
}
