import type { ForkVersion } from '../consensus/fork-versions.js';
import type { ChainParameter } from '../proposals/parameters.js';
import type { LongProperty } from '../state/property-table.js';

/**
 * What the rules take from the release of the reference that this node is: tables, and a few named rules that no vote of the
 * chain decides. What depends on votes is read from the state. A later release is one more object beside the others.
 */
export interface Release {
  /** As the configuration names it, e.g. `4.8.2`. */
  readonly name: string;
  /** The version that the node writes into its blocks. Reference: ChainConstant.BLOCK_VERSION. */
  readonly blockVersion: number;
  /** Block versions that it counts, ascending. Reference: Parameter.ForkBlockVersionEnum. */
  readonly forkVersions: readonly ForkVersion[];
  /** What the committee can change, by id. Reference: ProposalUtil.ProposalType. */
  readonly parameters: ReadonlyMap<bigint, ChainParameter>;
  /** Marks of the first start, each 1: what older data would have been moved to. Reference: Manager.init. */
  readonly firstStart: readonly LongProperty[];
}

/** Parameters by id; a later one takes the place of an earlier one with its id. */
export function byId(...tables: readonly (readonly ChainParameter[])[]): ReadonlyMap<bigint, ChainParameter> {
  return new Map(tables.flat().map((parameter) => [BigInt(parameter.id), parameter]));
}
