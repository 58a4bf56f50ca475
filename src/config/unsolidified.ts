import type { NodeConfig } from './load-config.js';

/** Blocks that wait for solidification from which on no transactions are taken; undefined: any number. */
export function unsolidifiedMaxOf({
  unsolidifiedBlockCheck,
  maxUnsolidifiedBlocks,
}: Pick<NodeConfig['node'], 'unsolidifiedBlockCheck' | 'maxUnsolidifiedBlocks'>): number | undefined {
  return unsolidifiedBlockCheck ? maxUnsolidifiedBlocks : undefined;
}
