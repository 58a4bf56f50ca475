import type { NodeConfig } from './load-config.js';

/** Returns the number of unsolidified blocks from which the node rejects transactions; undefined for no limit. */
export function unsolidifiedMaxOf({
  unsolidifiedBlockCheck,
  maxUnsolidifiedBlocks,
}: Pick<NodeConfig['node'], 'unsolidifiedBlockCheck' | 'maxUnsolidifiedBlocks'>): number | undefined {
  return unsolidifiedBlockCheck ? maxUnsolidifiedBlocks : undefined;
}
