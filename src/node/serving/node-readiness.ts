import { reasonsNotReady, type UnreadyReason } from '../../api/health/readiness.js';
import { freeBytes } from '../../files/free-space.js';
import { errorText } from '../../primitives/errors.js';
import type { ServedNode } from './served-node.js';

/**
 * Returns a function that returns the reasons why the node is not ready for clients. The limits are those of
 * `tronicle.health`. The function never throws: a state or a disk that cannot be read is a reason.
 */
export function nodeReadiness({
  api,
  config,
  dataDir,
  metrics,
  now,
}: Pick<ServedNode, 'api' | 'config' | 'dataDir' | 'metrics' | 'now'>): () => readonly UnreadyReason[] {
  return () => {
    try {
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
    } catch (error) {
      return [{ check: 'storage', message: `the data folder cannot be read: ${errorText(error)}` }];
    }
  };
}
