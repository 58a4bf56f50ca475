import type { Address } from '../../primitives/address.js';
import type { LongProperty } from '../parameters/property-table.js';
import type { Release } from '../releases/release.js';

/** What the rules take from the configuration: fixed for the life of a node, the same on all nodes of a network. */
export interface ChainRules {
  /** First byte of every address: 0x41, or 0xa0 on test networks. */
  readonly addressPrefix: number;
  readonly genesisTimeMs: number;
  readonly genesisId: Uint8Array;
  readonly genesisWitnesses: readonly { readonly address: Address; readonly voteCount: bigint }[];
  /** Receives fees until they are burnt. Reference: AccountStore.getBlackhole, by its name in the genesis assets. */
  readonly blackhole: Address;
  readonly zion: Address | undefined;
  /** 1: frozen and locked amounts keep their time; 0 (private networks): they do not. `block.checkFrozenTime` */
  readonly checkFrozenTime: boolean;
  /** First block with the newer energy limit rule. `enery.limit.block.num` */
  readonly energyLimitBlock: number;
  /** `storage.balance.history.lookup` */
  readonly tracesBalances: boolean;
  /** Contract types that may be used; empty: all. `actuator.whitelist` */
  readonly allowedContracts: ReadonlySet<string>;
  /** Internal transactions say what CANCELALLUNFREEZEV2 staked again. `vm.saveCancelAllUnfreezeV2Details` */
  readonly tellsRestaked: boolean;
  /** Each block is irreversible when it comes: it is taken from a node that says so. `--solidity` */
  readonly isSolidityNode: boolean;
  /** A run without clock. `--debug`, `--solidity` */
  readonly debug: boolean;
  /** Share of the CPU limit that a run of a block signed by a witness has. `vm.minTimeRatio`, `vm.maxTimeRatio` */
  readonly minTimeRatio: number;
  readonly maxTimeRatio: number;
  /**
   * What is read of rows that no start writes and that no vote has written yet: `committee.allowTvmShangHai` and its
   * kin.
   */
  readonly configured: ReadonlyMap<LongProperty, bigint>;
  /** The release of the reference that the node is. `tronicle.release` */
  readonly release: Release;
}
