import type { Address } from '../../primitives/address.js';
import type { LongProperty } from '../parameters/property-table.js';
import type { Release } from '../releases/release.js';

/** Rules of the configuration. They never change while a node runs, and are equal on all nodes of a network. */
export interface ChainRules {
  /** First byte of every address: 0x41, or 0xa0 on test networks. */
  readonly addressPrefix: number;
  readonly genesisTimeMs: number;
  /** Time between blocks in ms: 3000, or less in a private network. `tronicle.devnet.blockTime` */
  readonly slotMs: number;
  readonly genesisId: Uint8Array;
  /**
   * Chain id of a private network for the TVM. If undefined, it is derived from the genesis id.
   * `tronicle.devnet.chainId`
   */
  readonly chainId?: number | undefined;
  readonly genesisWitnesses: readonly { readonly address: Address; readonly voteCount: bigint }[];
  /** Account that receives fees until they are burnt. Reference: AccountStore.getBlackhole. */
  readonly blackhole: Address;
  readonly zion: Address | undefined;
  /** True if frozen and locked amounts have a minimum time; false in private networks. `block.checkFrozenTime` */
  readonly checkFrozenTime: boolean;
  /** First block with the newer energy limit rule. `enery.limit.block.num` */
  readonly energyLimitBlock: number;
  /** True if blocks are recorded in the balance history. `storage.balance.history.lookup` */
  readonly tracesBalances: boolean;
  /** Enabled contract types. If empty, all types are enabled. `actuator.whitelist` */
  readonly allowedContracts: ReadonlySet<string>;
  /**
   * True if internal transactions contain the amounts that CANCELALLUNFREEZEV2 stakes again.
   * `vm.saveCancelAllUnfreezeV2Details`
   */
  readonly reportsRestaked: boolean;
  /** True if each block is solidified immediately, because the node receives only solidified blocks. `--solidity` */
  readonly isSolidityNode: boolean;
  /** True if programs have no time limit. `--debug`, `--solidity` */
  readonly debug: boolean;
  /**
   * Minimum and maximum time limit for programs in a signed block, as a share of the CPU limit. `vm.minTimeRatio`,
   * `vm.maxTimeRatio`
   */
  readonly minTimeRatio: number;
  readonly maxTimeRatio: number;
  /** Values of properties that are not stored yet, from keys such as `committee.allowTvmShangHai`. */
  readonly configured: ReadonlyMap<LongProperty, bigint>;
  /** Release of java-tron that the node emulates. `tronicle.release` */
  readonly release: Release;
}
