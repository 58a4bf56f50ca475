import type { EventOptions } from '../records/event-options.js';

/** Options that every kind of sink has. */
export interface SharedOptions extends EventOptions {
  readonly name: string;
  /** First height of a new sink, and last height of a backfill. */
  readonly from?: number;
  readonly to?: number;
  /** Every start begins at `from` again, whatever the checkpoint. Reference: HistoryEventService. */
  readonly repeats?: boolean;
}
