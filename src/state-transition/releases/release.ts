import type { ForkVersion } from '../parameters/block-versions.js';
import type { ChainParameter } from '../parameters/parameter-table.js';
import type { LongProperty } from '../parameters/property-table.js';

/**
 * What the rules take from the release of the reference that this node is: tables, and a few named rules that no vote
 * of the chain decides. What depends on votes is read from the state. A later release is one more object beside the
 * others.
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
  readonly rules: ReleaseRules;
  readonly texts: ReleaseTexts;
}

/** What a release does whatever the chain has voted. */
interface ReleaseRules {
  /**
   * How many contracts a transaction holds is asked before the block that it refers to.
   * Reference: Manager.processTransaction.
   */
  readonly countsContractsFirst: boolean;
  /**
   * Waiting transactions keep the limits that vote 88 gives to those of blocks, and results beyond the contracts are
   * cut off.
   */
  readonly limitsWaiting: boolean;
  /**
   * Fields that the schema does not know are dropped: of a waiting transaction, and of a peer's block and its header,
   * never of what is signed. Reference: TransactionCapsule.sanitize, BlockCapsule.sanitize.
   */
  readonly stripsUnknown: boolean;
  /**
   * A block that a peer announced is looked at (time, root, signature) before its place in the chain, and passed over
   * when its witness is not active. Reference: BlockMsgHandler.processBlock, TronNetDelegate.validBlock.
   */
  readonly validatesAnnouncedFirst: boolean;
  /**
   * Trades with exchange pools wait for vote 98: refused at the door, not packed.
   * Reference: Manager.isExchangeTransaction.
   */
  readonly freezesExchangeTrades: boolean;
  /** Overflows of exchange contracts are refusals of the contract. Reference: Exchange*Actuator.validate, execute. */
  readonly catchesExchangeOverflow: boolean;
  /** Shielded transfers are refused at the door; else they are taken silently where the node does not serve them. */
  readonly refusesShielded: boolean;
  /** A switch of branches checks the signature of each block again. Reference: Manager.switchFork. */
  readonly verifiesBranchSignatures: boolean;
  /**
   * Whatever fails while a signer is found is a SignatureException that names its cause.
   * Reference: SignUtils.signatureToAddress
   */
  readonly wrapsSignerFailures: boolean;
  /**
   * What CANCELALLUNFREEZEV2 staked again can be told beside its internal transaction.
   * Reference: Program.cancelAllUnfreezeV2Action.
   */
  readonly tellsRestaked: boolean;
  /**
   * What was checked when it came counts as checked later only with the very signatures that were checked, and while
   * nobody changed its owner's permissions. Reference: Manager.isSameSig, getVerifyTxs, rePush.
   */
  readonly comparesSignatures: boolean;
  /**
   * A leaf of the account trie whose path is used up stays one when it is put again, where it became a branch.
   * Reference: TrieImpl.insert
   */
  readonly keepsEndedLeaves: boolean;
}

/** Texts that clients read, where releases differ. */
export interface ReleaseTexts {
  /** Kinds of a refused message whose names changed. Reference: P2pException.TypeEnum. */
  readonly refusals: Readonly<Record<'BLOCK_SIGN_ERROR' | 'BLOCK_MERKLE_ERROR', string>>;
  readonly tooBig: (idHex: string, size: number, max: number) => string;
  readonly merkleRoot: (number: number, expected: Uint8Array, actual: Uint8Array) => string;
  /** Who signed what: by a key that its permission does not hold. */
  readonly foreignSigner: (signed: { signature: Uint8Array; hash: Uint8Array }, signer: string) => string;
  /** A sum or product of amounts that leaves 64 bits. Reference: LongMath of the library guava, whose text changed. */
  readonly overflow: (operation: 'checkedAdd' | 'checkedMultiply', a: bigint, b: bigint) => string;
  readonly leastFrozen: string;
  readonly mostFrozen: string;
  readonly leastDelegated: string;
  readonly mostDelegated: (stake: string) => string;
}
