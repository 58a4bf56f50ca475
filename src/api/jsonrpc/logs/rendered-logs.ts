import type { LoggedBlock } from '../block-content.js';
import { type LogPosition, logResult } from '../block-results.js';

/** A log as JSON text, with the fields that filters check. */
export interface RenderedLog {
  readonly address: Uint8Array;
  readonly topics: Uint8Array[];
  /** The log as JSON, ready for a response. */
  readonly text: string;
}

/** Renders all logs of a block, in order. */
export function renderLogs(
  { block, infos }: LoggedBlock,
  shown: Pick<LogPosition, 'removed' | 'hasTime'>,
): readonly RenderedLog[] {
  let logIndex = 0;
  return infos.flatMap(({ log: logs }, at) =>
    logs.map((log, index) => ({
      // Copies the bytes, because a slice would retain the whole block in the cache.
      address: log.address.slice(),
      topics: log.topics.map((topic) => topic.slice()),
      text: JSON.stringify(logResult({ block, infos }, { transaction: at, at: index, logIndex: logIndex++, ...shown })),
    })),
  );
}
