import { reasonsNotReady, type UnreadyReason } from '../../api/health/readiness.js';
import { freeBytes } from '../../files/free-space.js';
import type { ServedNode } from './served-node.js';

/**
 * Returns a function that returns the reasons why the node is not ready for clients. The limits are those of
 * `tronicle.health`.
 */
export function nodeReadiness({ api, config, dataDir, metrics, now }: ServedNode): () => readonly UnreadyReason[] {
  return () => {
    const { state, headNumber } = api.view('head');
    return reasonsNotReady(
      {
        headNumber,
        headTimeMs: state.properties.number('latest_block_header_timestamp'),
        nowMs: now(),
        freeBytes: dataDir === undefined ? undefined : freeBytes(dataDir),
        storageProblem: metrics?.storageProblem(),
        sinks: metrics?.sinks() ?? [],
      },
      config.tronicle.health,
    );
  };
}
