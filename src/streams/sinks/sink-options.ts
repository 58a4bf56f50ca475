import type { EventOptions } from '../records/event-options.js';

/** What every sink is told, whatever its kind. */
export interface SharedOptions extends EventOptions {
  readonly name: string;
  /** Height at which a sink that has passed nothing on begins, and the one after which it ends: a back-fill. */
  readonly from?: number;
  readonly to?: number;
  /** Every start begins at `from` again, wherever the sink stands. Reference: HistoryEventService. */
  readonly repeats?: boolean;
}
