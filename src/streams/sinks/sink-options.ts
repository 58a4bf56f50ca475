import type { EventOptions } from '../records/event-options.js';

/** Options that every kind of sink has. */
export interface SharedOptions extends EventOptions {
  readonly name: string;
  /** First height of a new sink or of a backfill. */
  readonly from?: number;
  /** Last height of a backfill. */
  readonly to?: number;
  /**
   * True if the sink starts at `from` again at every start of the node, regardless of the checkpoint. Reference:
   * HistoryEventService.
   */
  readonly repeats?: boolean;
}
