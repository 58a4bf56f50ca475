import type { EventOptions } from '../records/event-options.js';

/** Options that every kind of sink has. */
export interface SharedOptions extends EventOptions {
  readonly name: string;
  /** First height of a new sink, and last height of a backfill. */
  readonly from?: number;
  readonly to?: number;
  /** True if every start begins at `from` again, regardless of the checkpoint. Reference: HistoryEventService. */
  readonly repeats?: boolean;
}
