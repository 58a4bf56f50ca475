import type { Address } from '../../primitives/address.js';
import type { LongProperty } from '../parameters/property-table.js';
import type { Release } from '../releases/release.js';

/**
 * Rules from the configuration. They never change while a node runs. All nodes of a network must have the same
 * values.
 */
export interface ChainRules {
  /** First byte of every address: 0x41, or 0xa0 on test networks. */
  readonly addressPrefix: number;
  readonly genesisTimeMs: number;
  /** Time between blocks in ms: 3000, or less in a private network. Configured by `tronicle.devnet.blockTime`. */
  readonly slotMs: number;
  readonly genesisId: Uint8Array;
  /**
   * Chain id of a private network for the TVM. If undefined, the chain id is derived from the genesis id. Configured by
   * `tronicle.devnet.chainId`.
   */
  readonly chainId?: number | undefined;
  readonly genesisWitnesses: readonly { readonly address: Address; readonly voteCount: bigint }[];
  /**
   * Account that receives fees until `ALLOW_BLACKHOLE_OPTIMIZATION` is on. Afterwards, fees are burnt. Reference:
   * AccountStore.getBlackhole.
   */
  readonly blackhole: Address;
  readonly zion: Address | undefined;
  /**
   * True if stake 1.0 must be frozen for a minimum duration. Configured by `block.checkFrozenTime`; a private network
   * may set it to 0.
   */
  readonly checkFrozenTime: boolean;
  /** Height of the last block with the older energy limit rule. Configured by `enery.limit.block.num`. */
  readonly energyLimitBlock: number;
  /** True if blocks are recorded in the balance history. Configured by `storage.balance.history.lookup`. */
  readonly tracesBalances: boolean;
  /** Enabled contract types. If empty, all types are enabled. Configured by `actuator.whitelist`. */
  readonly allowedContracts: ReadonlySet<string>;
  /**
   * True if internal transactions contain the amounts that CANCELALLUNFREEZEV2 stakes again. Configured by
   * `vm.saveCancelAllUnfreezeV2Details`.
   */
  readonly reportsRestaked: boolean;
  /**
   * True if each block is solidified immediately, because the node receives only solidified blocks. Set by the flag
   * `--solidity`.
   */
  readonly isSolidityNode: boolean;
  /** True if programs have no time limit. Set by the flags `--debug` and `--solidity`. */
  readonly debug: boolean;
  /** Values of properties that have no row. Set by configuration keys such as `committee.allowTvmShangHai`. */
  readonly configured: ReadonlyMap<LongProperty, bigint>;
  /** Release of java-tron that the node emulates. Configured by `tronicle.release`. */
  readonly release: Release;
}
