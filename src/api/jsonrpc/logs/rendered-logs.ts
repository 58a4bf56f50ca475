import { type LoggedBlock, type LogPosition, logResult } from '../block-results.js';

/** A log with what filters look at. */
export interface RenderedLog {
  readonly address: Uint8Array;
  readonly topics: Uint8Array[];
  /** JSON, as it is answered. */
  readonly text: string;
}

/** All logs of a block, in order. */
export function renderLogs(
  { block, infos }: LoggedBlock,
  shown: Pick<LogPosition, 'removed' | 'hasTime'>,
): readonly RenderedLog[] {
  let logIndex = 0;
  return infos.flatMap(({ log: logs }, at) =>
    logs.map((log, place) => ({
      // Copies: the block's bytes must not stay with them.
      address: log.address.slice(),
      topics: log.topics.map((topic) => topic.slice()),
      text: JSON.stringify(logResult({ block, infos }, { transaction: at, at: place, logIndex: logIndex++, ...shown })),
    })),
  );
}
