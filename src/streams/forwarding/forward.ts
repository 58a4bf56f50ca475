import type { Logger } from 'pino';
import {
  catchError,
  defer,
  EMPTY,
  filter,
  fromEvent,
  lastValueFrom,
  map,
  merge,
  type Observable,
  of,
  retry,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { type Batch, inBatches } from '../../log/stream/in-batches.js';
import { inTurn } from '../../log/stream/in-turn.js';
import { mapPages, type Page } from '../../log/stream/page.js';
import { readAhead } from '../../log/stream/read-ahead.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { LOG_TRIGGER_TOPIC } from '../event-kinds.js';
import type { BlockPosition } from '../follow/block-position.js';
import { isEntryInLog } from '../follow/log-moves.js';
import { movesSince } from '../follow/past-moves.js';
import { isInLog, type SolidBlock, solidifiedBlocks, UndoneBlockError } from '../follow/solid-blocks.js';
import type { BlockRecords } from '../records/event-record.js';
import { logEntries } from '../records/log-entries.js';
import type { RecordMaker } from '../records/record-maker.js';
import { SinkError } from '../sink-error.js';
import { BlockNotInLogError, type Sink } from '../sinks/sink.js';
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
  /** Facts for the operator that do not prevent forwarding. */
  readonly notes?: readonly string[];
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
  const { sink, log, extent = {} } = options;
  const status = new Status(options);
  const isStopped = options.signal.aborted
    ? false
    : await lastValueFrom(delivery(options, status), { defaultValue: false });
  await sink.close().catch((error: unknown) => log.warn({ sink: sink.name, err: error }, 'sink close failed'));
  if (isStopped) return;
  const isDone = extent.to !== undefined && status.passedUpTo >= extent.to;
  status.change(isDone ? 'done' : 'closed');
  if (isDone) log.info({ sink: sink.name, number: status.passedUpTo, records: status.sentRecords }, 'backfill done');
}

/** Delivers batches until the end of the stream. Emits true if it ended because the operator must act. */
function delivery(options: ForwardOptions, status: Status): Observable<boolean> {
  const { sink, log, signal } = options;
  const resumption = new Resumption(options);
  const drained = delayed(options.drain, DRAIN_MS);
  let retryMs = RETRY_MS_MIN;
  return defer(() => sink.open(resumption.isInLog)).pipe(
    map((place) => resumption.startAt(place)),
    tap(({ after }) => status.opened(after)),
    switchMap((start) => inTurn(batchesAfter({ ...options, drained }, start), (batch) => written(sink, batch))),
    tap((blocks) => {
      retryMs = RETRY_MS_MIN;
      resumption.delivered();
      status.passed(blocks);
    }),
    retry({
      delay: (error: unknown) => {
        if (signal.aborted) return EMPTY;
        if (needsOperator(error)) throw error;
        log.warn({ sink: sink.name, err: error, retryMs }, 'sink retrying');
        status.change('retrying', messageOf(error));
        if (error instanceof BlockNotInLogError) return resumption.arrival(error.place, drained);
        const pause = timer(retryMs).pipe(takeUntil(aborted(signal)));
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
        return pause;
      },
    }),
    map(() => false),
    catchError((error: unknown) => {
      log.error({ sink: sink.name, err: error }, messageOf(error));
      status.change('stopped', messageOf(error));
      return of(true);
    }),
  );
}

/** Emits the blocks of a batch when the sink has stored all of them. */
function written(sink: Sink, { blocks }: RecordBatch): Observable<readonly BlockRecords[]> {
  return defer(() => sink.write(blocks)).pipe(map(() => blocks));
}

function needsOperator(error: unknown): boolean {
  return error instanceof SinkError || error instanceof UndoneBlockError;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Emits once the signal is aborted. */
function aborted(signal: AbortSignal): Observable<unknown> {
  return signal.aborted ? of(undefined) : fromEvent(signal, 'abort');
}

/** Position at which a sink starts or resumes. */
interface Start {
  readonly after: BlockPosition | undefined;
  /** No block up to this one is reported as solidified, because it was reported before or was not requested. */
  readonly floor: BlockPosition | undefined;
}

/** Determines the position at which a sink starts, and at which it resumes after an error. */
class Resumption {
  private readonly options: ForwardOptions;
  private beginsAnew: boolean;
  private floor: BlockPosition | undefined;

  constructor(options: ForwardOptions) {
    this.options = options;
    this.beginsAnew = options.extent?.repeats === true;
  }

  /** @param place the last block that the sink contains @throws {SinkError} */
  startAt(place: BlockPosition | undefined): Start {
    const { ledger, sink, log, extent = {} } = this.options;
    const begins = this.beginsAnew || place === undefined;
    const after = begins ? placeBefore(ledger, extent.from) : place;
    if (begins) this.floor ??= this.floorAt(after);
    log.info({ sink: sink.name, after: after?.number ?? null }, 'sink open');
    if (after !== undefined && !this.isInLog(after))
      log.warn({ sink: sink.name, ...after }, 'sink waiting: last forwarded block is not in this log');
    return { after, floor: this.floor };
  }

  /** Returns true if the log contains the block. */
  readonly isInLog = (place: BlockPosition): boolean => {
    const { ledger } = this.options;
    if (this.isByEntry) return isEntryInLog(ledger, place);
    const { base } = ledger;
    return isInLog(ledger, place) || (base?.number === place.number && toHex(base.id) === place.id);
  };

  /**
   * Emits once the log contains a block. Completes without a value at the end of the sink.
   * @throws {SinkError} the log will never contain the block
   */
  arrival(place: BlockPosition, drained: AbortSignal): Observable<unknown> {
    // Checked at once, because a sink that is to end does not wait.
    this.checkPossible(place);
    return timer(0, ARRIVAL_MS).pipe(
      tap(() => this.checkPossible(place)),
      filter(() => this.isInLog(place)),
      take(1),
      takeUntil(merge(aborted(this.options.signal), aborted(drained))),
    );
  }

  private checkPossible({ seq, number, id }: BlockPosition): void {
    const { ledger, sink } = this.options;
    const { solidifiedNumber } = ledger.position;
    if (this.isInLog({ seq, number, id })) return;
    const forwarded = `sink ${sink.name} has forwarded block ${number} (${id})`;
    if (number > 0 && number <= ledger.beginNumber)
      throw new SinkError(`${forwarded}, but the log starts above block ${ledger.beginNumber}. ${OTHER_FOLDER}`);
    if (this.isByEntry ? seq > ledger.storedSeq : number > solidifiedNumber) return;
    const other = this.isByEntry ? ledger.entry(seq) : present(ledger.block(number), 'the log contains the block');
    throw new SinkError(
      `${forwarded}, but the log has block ${other.number} (${toHex(other.id)}) there. ${OTHER_FOLDER}`,
    );
  }

  /** True for sinks that forward log entries, and not only solidified blocks. */
  private get isByEntry(): boolean {
    const { topics, finality } = this.options.extent ?? {};
    return finality === 'applied' || topics?.includes(LOG_TRIGGER_TOPIC) === true;
  }

  /** Called after a batch was written. An error from now on resumes after it. */
  delivered(): void {
    this.beginsAnew = false;
  }

  /**
   * Returns the floor of a sink at its start. By default it is the block below the first one to forward. For a sink
   * that repeats past blocks at every start, it is the newest past block.
   */
  private floorAt(after: BlockPosition | undefined): BlockPosition | undefined {
    const { ledger, extent: { from = 0, repeats = false } = {} } = this.options;
    return repeats ? placeBefore(ledger, Math.max(from, ledger.position.solidifiedNumber)) : after;
  }
}

/** Interval of checks for a missing block, in ms. */
const ARRIVAL_MS = 500;
const OTHER_FOLDER = 'Use the data folder that it was forwarded from, or set another name for the sink';

interface ReadOptions extends ForwardOptions {
  /** Ends the stream at the newest entry. */
  readonly drained: AbortSignal;
}

/**
 * Returns the batches after a position. The next one is created while the sink writes one. During catch-up it pauses
 * between batches. The execution of blocks then has priority, and there are fewer batches, of which each costs for
 * example a transaction.
 */
function batchesAfter(options: ReadOptions, start: Start): (ended: AbortSignal) => AsyncGenerator<RecordBatch> {
  const { sink, ledger, drain } = options;
  return (ended) => {
    const signal = AbortSignal.any([options.signal, ended]);
    const endsPause = AbortSignal.any([signal, drain]);
    const throttle = new CatchUpThrottle(ledger);
    let passed = start.after?.number ?? -1;
    const begin = async (): Promise<RecordBatch> => {
      await throttle.rest(passed, endsPause);
      return new RecordBatch(sink, (number) => {
        passed = number;
      });
    };
    return readAhead(inBatches(recordsAfter({ ...options, signal }, start), begin));
  };
}

/** Streams the records of the blocks after a position. */
function recordsAfter(options: ReadOptions, { after, floor }: Start): AsyncGenerator<Page<BlockRecords>> {
  const { ledger, maker, signal, drained, extent: { topics, finality, to } = {} } = options;
  const range = { ledger, after, signal, drain: drained };
  if (topics?.includes(LOG_TRIGGER_TOPIC)) return logEntries(range);
  if (finality === 'applied') {
    return mapPages(movesSince({ ...range, floor, form: maker.form }), async function* (moves) {
      for await (const move of moves) yield maker.recordsOfMove(move);
    });
  }
  const blocks = upTo(to, after, solidifiedBlocks(range));
  return mapPages(blocks, async function* (page) {
    for await (const block of page) {
      await maker.prepare(block, signal);
      yield maker.recordsOf(block);
    }
  });
}

/** Ends a stream after the block of a height. */
async function* upTo(
  height: number | undefined,
  after: BlockPosition | undefined,
  pages: AsyncGenerator<Page<SolidBlock>>,
): AsyncGenerator<Page<SolidBlock>> {
  if (height === undefined) return yield* pages;
  let last = after?.number ?? -1;
  const blocksOf = async function* (page: Page<SolidBlock>['items']): AsyncGenerator<SolidBlock> {
    for await (const block of page) {
      last = block.entry.number;
      yield block;
      if (last === height) return;
    }
  };
  if (last >= height) return;
  for await (const { items, isNewest } of pages) {
    yield { items: blocksOf(items), isNewest };
    if (last >= height) return;
  }
}

/** Returns a signal that aborts some time after another one. */
function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const start = (): void => void setTimeout(() => later.abort(), ms).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return later.signal;
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
 * Time in ms in which the writer's last commits reach a sink that is to end. After it, a sink that has forwarded the
 * newest entry ends.
 */
const DRAIN_MS = 50;

class RecordBatch implements Batch<BlockRecords> {
  readonly blocks: BlockRecords[] = [];
  private readonly limits: Sink['batch'];
  private readonly onAdded: (number: number) => void;
  private records = 0;
  private bytes = 0;

  constructor({ batch }: Sink, onAdded: (number: number) => void) {
    this.limits = batch;
    this.onAdded = onAdded;
  }

  get isFull(): boolean {
    const { limits, records, bytes, blocks } = this;
    return records >= limits.records || bytes >= limits.bytes || blocks.length >= BATCH_BLOCKS_MAX;
  }

  add(block: BlockRecords): void {
    this.blocks.push(block);
    this.records += block.records.length;
    for (const { payload } of block.records) this.bytes += payload.length;
    this.onAdded(block.number);
  }
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

  /** Number of records forwarded since the start. */
  get sentRecords(): number {
    return this.records;
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
    const { name, notes = [] } = this.options.sink;
    this.options.onStatus?.({
      ...{ name, state, number, seq, records },
      ...(problem !== undefined && { problem }),
      ...(notes.length > 0 && { notes }),
    });
  }
}
