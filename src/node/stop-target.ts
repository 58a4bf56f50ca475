import type { Chain } from '../chain/chain.js';
import type { NodeConfig } from '../config/load-config.js';
import { checkStopConditions } from '../config/stop-conditions.js';
import type { EncodedBlock } from '../state-transition/block/encoded-block.js';

/** Where `node.shutdown` wants the chain to stop: the stored head is exactly the target. */
export interface StopTarget {
  /** The target was the head when the node started. */
  readonly isReached: boolean;
  /** True for the first block that must not be taken any more. */
  readonly isReachedBefore: (block: EncodedBlock) => boolean;
  /**
   * True when the chain has the last block that is to be taken.
   * @param head its height, after `isReachedBefore` was asked
   */
  readonly isReachedBy: (head: number) => boolean;
}

/** @throws {UsageError} conditions that contradict the head or each other. Reference: Manager.initAutoStop */
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
      // The block whose time satisfies the text is the last one that is taken.
      isTimeReached = time?.isSatisfied(block.timeMs) === true;
      return false;
    },
    isReachedBy: (head) => isTimeReached || (height !== undefined && head >= height),
  };
}
