import type { ForkVersion } from '../parameters/block-versions.js';
import type { ChainParameter } from '../parameters/parameter-table.js';
import type { LongProperty } from '../parameters/property-table.js';

/**
 * Tables and rules of a java-tron release that this node can emulate. Rules that depend on votes are read from the
 * state instead. There is one object per release.
 */
export interface Release {
  /** Name in the configuration, e.g. `4.8.2`. */
  readonly name: string;
  /** Version that the node writes to its blocks. Reference: ChainConstant.BLOCK_VERSION. */
  readonly blockVersion: number;
  /** Block versions whose support is counted, in ascending order. Reference: Parameter.ForkBlockVersionEnum. */
  readonly forkVersions: readonly ForkVersion[];
  /** Parameters that can be voted on, by id. Reference: ProposalUtil.ProposalType. */
  readonly parameters: ReadonlyMap<bigint, ChainParameter>;
  /** Properties that mark finished data migrations. Set to 1 when a chain is created. Reference: Manager.init. */
  readonly firstStart: readonly LongProperty[];
  readonly rules: ReleaseRules;
  readonly texts: ReleaseTexts;
}

/** Rules of a release that do not depend on votes. */
interface ReleaseRules {
  /**
   * True if the node checks the number of contracts in a transaction before TAPOS, the transaction's reference to a
   * block. Reference: Manager.processTransaction.
   */
  readonly countsContractsFirst: boolean;
  /**
   * True if two rules of proposal 88 also apply to pending transactions: the size limits, and the rule that a
   * transaction must not expire before the next slot. In this case, the node also shortens the list of results of a
   * pending transaction to the number of its contracts.
   */
  readonly limitsPending: boolean;
  /**
   * True if unknown fields are removed from pending transactions, from a peer's block and from its header. Signed bytes
   * never change. Reference: TransactionCapsule.sanitize, BlockCapsule.sanitize.
   */
  readonly stripsUnknown: boolean;
  /**
   * True if the node checks time, merkle root and signature of an announced block before its position in the chain. The
   * node then ignores a block by an inactive witness. Reference: BlockMsgHandler.processBlock,
   * Block versions for which the node counts the witnesses that support them, in ascending order. Reference:
   * Parameter.ForkBlockVersionEnum.
   */
  readonly validatesAnnouncedFirst: boolean;
  /**
   * True if the mempool and block production reject exchange trades until proposal 98 is in force.
   * Reference: Manager.isExchangeTransaction.
   */
  readonly freezesExchangeTrades: boolean;
  /**
   * True if an overflow in an exchange contract is a contract error (of validation or execution), not an unchecked
   * exception. Reference: Exchange*Actuator.validate, execute.
   */
  readonly catchesExchangeOverflow: boolean;
  /**
   * True if the mempool rejects a shielded transfer with an error. If false, a node without shielded API drops the
   * transfer without an error.
   */
  readonly refusesShielded: boolean;
  /** True if a reorg verifies the signature of each block again. Reference: Manager.switchFork. */
  readonly verifiesBranchSignatures: boolean;
  /**
   * True if every failure during signer recovery becomes a SignatureException, with the failure as its cause.
   * Reference: SignUtils.signatureToAddress
   */
  readonly wrapsSignerFailures: boolean;
  /**
   * True if the internal transaction of CANCELALLUNFREEZEV2 can contain the amounts that were staked again.
   * Reference: Program.cancelAllUnfreezeV2Action.
   */
  readonly reportsRestaked: boolean;
  /**
   * True if a verified pending transaction must be verified again after two events: a block contains the transaction
   * with other signatures, or the permissions of its owner have changed. Reference: Manager.isSameSig, getVerifyTxs,
   * rePush.
   */
  readonly comparesSignatures: boolean;
  /**
   * True if a leaf of the account trie with an empty path remains a leaf when its key is put again. In 4.7.2, the
   * leaf becomes a branch. Reference: TrieImpl.insert
   */
  readonly keepsEndedLeaves: boolean;
}

/** Error texts for clients that differ between releases. */
export interface ReleaseTexts {
  /** Names of two errors for invalid blocks of peers. Reference: P2pException.TypeEnum. */
  readonly refusals: Readonly<Record<'BLOCK_SIGN_ERROR' | 'BLOCK_MERKLE_ERROR', string>>;
  readonly tooBig: (idHex: string, size: number, max: number) => string;
  readonly merkleRoot: (number: number, expected: Uint8Array, actual: Uint8Array) => string;
  /** Error text if the signer's key is not in the permission. */
  readonly foreignSigner: (signed: { signature: Uint8Array; hash: Uint8Array }, signer: string) => string;
  /** Text for a sum or product that exceeds 64 bits. Reference: LongMath of Guava, whose text changed. */
  readonly overflow: (operation: 'checkedAdd' | 'checkedMultiply', a: bigint, b: bigint) => string;
  readonly leastFrozen: string;
  readonly mostFrozen: string;
  readonly leastDelegated: string;
  readonly mostDelegated: (stake: string) => string;
}
