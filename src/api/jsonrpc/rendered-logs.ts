import { type LogContent, logResult } from './block-results.js';

/** A log with what filters look at. */
export interface RenderedLog {
  readonly address: Uint8Array;
  readonly topics: Uint8Array[];
  /** JSON, as it is answered. */
  readonly text: string;
}

/** All logs of a block, in order. @param removed whether the block was taken back */
export function renderLogs({ block, infos }: LogContent, removed: boolean): readonly RenderedLog[] {
  let logIndex = 0;
  return infos.flatMap(({ log: logs }, at) =>
    logs.map((log, place) => ({
      // Copies: the block's bytes must not stay with them.
      address: log.address.slice(),
      topics: log.topics.map((topic) => topic.slice()),
      text: JSON.stringify(logResult({ block, infos }, at, place, logIndex++, removed)),
    })),
  );
}
