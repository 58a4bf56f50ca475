import type { Logger } from 'pino';
import { filter, interval, merge, type Observable, startWith, take, takeUntil } from 'rxjs';
import { aborted } from '../../log/stream/aborted.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { LOG_TRIGGER_TOPIC } from '../event-kinds.js';
import type { BlockPosition } from '../follow/block-position.js';
import { isEntryInLog } from '../follow/log-moves.js';
import { isInLog } from '../follow/solid-blocks.js';
import { SinkError } from '../sink-error.js';
import type { Sink } from '../sinks/sink.js';
import type { SinkOptions } from '../sinks/sink-kinds.js';

/** The part of the log that a sink forwards. */
export type SinkExtent = Partial<Pick<SinkOptions, 'topics' | 'finality' | 'from' | 'to' | 'repeats'>>;

interface ResumptionOptions {
  readonly ledger: Ledger;
  readonly sink: Pick<Sink, 'name'>;
  readonly extent?: SinkExtent;
  readonly log: Logger;
}

/** Position at which a sink starts or resumes. */
export interface Start {
  readonly after: BlockPosition | undefined;
  /**
   * The sink reports no block up to this height as solidified, because it reported these blocks before, or does not
   * request them.
   */
  readonly floor: BlockPosition | undefined;
}

/** Interval in ms at which a sink checks if the log contains its last forwarded block. */
const ARRIVAL_MS = 500;
const OTHER_FOLDER = 'Use the data folder from which the sink forwarded that block, or set another name for the sink';

/** Determines the position at which a sink starts, and at which it resumes after an error. */
export class Resumption {
  private readonly options: ResumptionOptions;
  private restarts: boolean;
  private floor: BlockPosition | undefined;

  constructor(options: ResumptionOptions) {
    this.options = options;
    this.restarts = options.extent?.repeats === true;
  }

  /**
   * Returns the position at which a sink starts.
   * @param position the last block that the sink contains; undefined if it contains none
   * @throws {SinkError} the position or the start height is below the log, or the start height is not solidified yet
   */
  startAt(position: BlockPosition | undefined): Start {
    const { ledger, sink, log, extent = {} } = this.options;
    const usesExtent = this.restarts || position === undefined;
    const after = usesExtent ? positionBefore(ledger, sink.name, extent.from) : position;
    if (usesExtent) this.floor ??= this.floorAt(after);
    log.info({ sink: sink.name, after: after?.number ?? null }, 'sink open');
    if (after !== undefined) this.requireNextBlock(after);
    if (after !== undefined && !this.isInLog(after))
      log.warn({ sink: sink.name, ...after }, 'sink waits until the block log contains its last forwarded block');
    return { after, floor: this.floor };
  }

  /** Returns true if the log contains the block. */
  readonly isInLog = (position: BlockPosition): boolean => {
    const { ledger } = this.options;
    if (this.isByEntry) return isEntryInLog(ledger, position);
    return isInLog(ledger, position);
  };

  /**
   * Emits once when the log contains a block. Completes without a value when one of the signals aborts. Checks the log
   * immediately and then regularly. Fails with a `SinkError` if the log can never contain the block.
   */
  arrival(position: BlockPosition, signals: readonly AbortSignal[]): Observable<unknown> {
    return interval(ARRIVAL_MS).pipe(
      takeUntil(merge(...signals.map(aborted))),
      startWith(0),
      filter(() => this.hasArrived(position)),
      take(1),
    );
  }

  /**
   * Returns true if the log contains the block, false if it may contain the block later.
   * @throws {SinkError} the log can never contain the block
   */
  private hasArrived(position: BlockPosition): boolean {
    this.requireNextBlock(position);
    if (this.isInLog(position)) return true;
    const { ledger } = this.options;
    const { seq, number } = position;
    if (this.isByEntry ? seq > ledger.storedSeq : number > ledger.position.solidifiedNumber) return false;
    const other = this.isByEntry ? ledger.entry(seq) : present(ledger.block(number), 'the log contains the block');
    throw new SinkError(
      `${this.forwarded(position)}, but the log contains block ${other.number} (${toHex(other.id)}) instead. ${OTHER_FOLDER}`,
    );
  }

  /**
   * Checks that the log contains the block after a position, or may contain it later.
   * @throws {SinkError} the next block is below the start of the log. Without this check, the sink would skip blocks
   */
  private requireNextBlock(position: BlockPosition): void {
    const { startNumber } = this.options.ledger;
    const { number } = position;
    if (number > startNumber || (number === startNumber && this.isInLog(position))) return;
    throw new SinkError(`${this.forwarded(position)}, but the log starts after block ${startNumber}. ${OTHER_FOLDER}`);
  }

  private forwarded({ number, id }: BlockPosition): string {
    return `sink ${this.options.sink.name} has forwarded block ${number} (${id})`;
  }

  /**
   * True if the position of the sink is a log entry. False if the sink forwards only solidified blocks, so that its
   * position is a height.
   */
  private get isByEntry(): boolean {
    const { topics, finality } = this.options.extent ?? {};
    return finality === 'applied' || topics?.includes(LOG_TRIGGER_TOPIC) === true;
  }

  /**
   * Must be called after each written batch. After an error, a sink with `repeats` then resumes at its own position
   * instead of its start height.
   */
  delivered(): void {
    this.restarts = false;
  }

  /**
   * Returns the highest block that a starting sink does not report as solidified. This is the block below the first
   * block that the sink forwards. For a sink that repeats old blocks at every start, it is the block below the newest
   * solidified block at the start, or the block below `from` if `from` is higher.
   */
  private floorAt(after: BlockPosition | undefined): BlockPosition | undefined {
    const { ledger, sink, extent: { from = 0, repeats = false } = {} } = this.options;
    return repeats ? positionBefore(ledger, sink.name, Math.max(from, ledger.position.solidifiedNumber)) : after;
  }
}

/**
 * Returns the block below a start height; undefined to start with genesis.
 * @throws {SinkError} the start height is below the log, or the block is not solidified yet
 */
function positionBefore(ledger: Ledger, name: string, from: number | undefined): BlockPosition | undefined {
  if (from === undefined || from === 0) return undefined;
  const before = ledger.block(from - 1);
  if (from <= ledger.startNumber || (from === ledger.startNumber + 1 && before === undefined))
    throw new SinkError(
      `cannot start sink ${name} at block ${from}, because the log starts after block ${ledger.startNumber}; use a higher start height`,
    );
  const entry = from <= ledger.position.solidifiedNumber + 1 ? before : undefined;
  if (entry === undefined)
    throw new SinkError(
      `cannot start sink ${name} at block ${from}, because the newest solidified block is ${ledger.position.solidifiedNumber}; use a lower start height, or wait`,
    );
  return { seq: entry.seq, number: entry.number, id: toHex(entry.id) };
}
