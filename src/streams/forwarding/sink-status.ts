import { present } from '../../primitives/assert.js';
import type { BlockPosition } from '../follow/block-position.js';
import type { BlockRecords } from '../records/event-record.js';
import type { Sink } from '../sinks/sink.js';

/** Status of a sink for metrics and the status page. */
export interface SinkStatus {
  readonly name: string;
  /**
   * `retrying`: the last attempt failed and is repeated, or the target has not answered for 30 s. `stopped`: the
   * operator must act. `done`: the backfill is complete.
   */
  readonly state: 'starting' | 'forwarding' | 'retrying' | 'stopped' | 'closed' | 'done';
  /** Height of the last forwarded block; -1 before the first block. */
  readonly number: number;
  readonly seq: number;
  /** Number of records forwarded since the start. */
  readonly records: number;
  /** Reason why the sink does not forward at the moment. */
  readonly problem?: string;
  /** Facts that the operator should know, although the sink forwards. */
  readonly notes?: readonly string[];
}

/**
 * Returns the number of blocks up to the height `newest` that a sink has not forwarded yet.
 * @param startNumber height after which the log starts; a sink that has forwarded no block starts there
 */
export function lagInBlocks({ number }: Pick<SinkStatus, 'number'>, newest: number, startNumber: number): number {
  return Math.max(0, newest - Math.max(number, startNumber));
}

/** Reports the progress of a sink. */
export class StatusReporter {
  private readonly sink: Pick<Sink, 'name' | 'notes'>;
  private readonly onStatus: ((status: SinkStatus) => void) | undefined;
  private number = -1;
  private seq = -1;
  private records = 0;

  constructor(sink: Pick<Sink, 'name' | 'notes'>, onStatus: ((status: SinkStatus) => void) | undefined) {
    this.sink = sink;
    this.onStatus = onStatus;
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
    const { name, notes = [] } = this.sink;
    this.onStatus?.({
      ...{ name, state, number, seq, records },
      ...(problem !== undefined && { problem }),
      ...(notes.length > 0 && { notes }),
    });
  }
}
