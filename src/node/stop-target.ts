import type { Chain } from '../chain/chain.js';
import type { NodeConfig } from '../config/load-config.js';
import { checkStopConditions } from '../config/stop-conditions.js';
import type { EncodedBlock } from '../state-transition/block/encoded-block.js';

/** Stop conditions of `node.shutdown`. After the node has stopped, the stored head is exactly the target block. */
export interface StopTarget {
  /** True if the stored head was already the target block when the node started. */
  readonly isReached: boolean;
  /** Returns true for the first block that must not be imported. */
  readonly isReachedBefore: (block: EncodedBlock) => boolean;
  /**
   * Returns true if the last block to import is in the chain.
   * @param head height of the head; `isReachedBefore` must have been called with this block
   */
  readonly isReachedBy: (head: number) => boolean;
}

/**
 * Creates the stop target from the configuration. Reference: Manager.initAutoStop.
 * @throws {UsageError} a condition contradicts the head, or two conditions contradict each other
 */
export function stopTarget(config: NodeConfig, chain: Chain): StopTarget {
  const { ledger, state } = chain;
  const { height, time } = checkStopConditions(
    config.node.shutdown,
    ledger.position.headNumber,
    state.properties.number('latest_block_header_timestamp'),
  );
  let isTimeReached = false;
  return {
    isReached: height !== undefined && height === ledger.position.headNumber,
    isReachedBefore: (block) => {
      if (isTimeReached) return true;
      if (height !== undefined && block.number > height) return true;
      // The first block whose time satisfies the condition is the last block to import.
      isTimeReached = time?.isSatisfied(block.timeMs) === true;
      return false;
    },
    isReachedBy: (head) => isTimeReached || (height !== undefined && head >= height),
  };
}
