import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../state-transition/block/encoded-block.js';
import type { Release } from '../state-transition/releases/release.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import type { P2pError } from './p2p-error.js';
import type { BlockId } from './wire/block-id.js';

/** What the state of the head says of a block that is not executed yet. */
export interface HeaderCheck {
  /** Its parent is canonical, or waits on a branch. */
  readonly isLinked: boolean;
  /** It lies below the head. */
  readonly isLow: boolean;
  /** Its witness is one of those who produce now. */
  readonly isActive: boolean;
  /** BLOCK_SIGN_ERROR; undefined: it is signed by the key of its witness. */
  readonly signatureFault: P2pError | undefined;
}

/** What became of a block that the chain was given. */
export type ImportResult =
  /** It is the head. */
  | { readonly kind: 'applied' }
  /** It waits on a branch, or was known. */
  | { readonly kind: 'side' }
  /**
   * @param error BLOCK_MERKLE_ERROR, BAD_BLOCK, or PARSE_MESSAGE_FAILED where the reference fails unchecked on an
   * announced one
   */
  | { readonly kind: 'refused'; readonly error: P2pError }
  /** It lies behind the block at which the configuration lets the node stop. */
  | { readonly kind: 'stopped' };

/**
 * The node's chain as the peers' side sees it; `src/node` implements it: facts, and three verbs. What a block or a
 * transaction goes through before a verb is decided here, in `receive`. A refusal is a `P2pError`, whose code decides
 * what the peer is told.
 */
export interface LocalChain {
  /** Rules of the release that this node is. */
  readonly rules: Release;
  /** Messages may hold nothing that the schema does not know. Reference: ALLOW_PROTO_FILTER_NUM */
  readonly isFiltered: boolean;
  /** By the clock that blocks are measured by, ms since 1970. */
  readonly nowMs: number;
  readonly genesis: BlockId;
  readonly head: BlockId;
  /** Newest block of the longest branch that is known; another than the head's while a switch failed. */
  readonly branchHead: BlockId;
  readonly solidified: BlockId;
  /** ms since 1970. */
  readonly solidifiedTimeMs: number;
  /** Lowest height, genesis aside, of which this node has the block; 0 while there is none. */
  readonly lowestNumber: number;
  /** When the newest block was taken, or this process began, ms. */
  readonly savedMs: number;
  /** Transactions that wait for a block. */
  readonly pendingTransactions: number;
  /** Votes on irreversible blocks count. Reference: AllowPBFT */
  readonly usesVotes: boolean;
  /** Of the witnesses: when the next one is, and the time between two, ms. */
  readonly maintenance: { readonly nextMs: bigint; readonly intervalMs: bigint };
  /** Lowest height to which blocks can still be taken back. */
  readonly lowestRevertible: number;
  /** So many blocks wait for solidification that announced transactions are not asked for. */
  readonly isUnsolidified?: boolean;
  /** Of the canonical chain. */
  idAt(number: number): BlockId | undefined;
  isCanonical(id: BlockId): boolean;
  /** Canonical, or waiting on a branch. */
  isKnown(id: BlockId): boolean;
  /**
   * Ids of a branch down to its common ancestor with the head's, which is the last; empty when there is none of its
   * own.
   * @throws {P2pError} HARD_FORKED
   */
  branchOf(id: BlockId): readonly BlockId[];
  /** Bytes of a block that is known. */
  block(id: BlockId): Uint8Array | undefined;
  /** Addresses (hex, 21 bytes) of the witnesses that produce now, in the order of the schedule. */
  activeWitnesses(): readonly string[];
  /** Addresses of those who may vote for the epoch that ends at a time, ms. */
  votersOf(epochMs: bigint): readonly string[];
  /** Address of the key that signed a hash. @throws {ChainError} no signature */
  signerOf(hash: Uint8Array, signature: Uint8Array): string;
  /**
   * Whether a hash was signed by a witness, or by the key of its witness permission.
   * @throws {ChainError} no signature
   */
  isSignedByWitness(addressHex: string, hash: Uint8Array, signature: Uint8Array): boolean;
  /** Bytes of a transaction of the canonical chain. */
  transaction(idHex: string): Uint8Array | undefined;

  /** What the state of the head says of a block. */
  checkHeader(block: EncodedBlock): HeaderCheck;
  /**
   * Decides a block: one of a sync that was judged, or an announced one that the rules want; behind that it settles
   * too.
   */
  importBlock(block: DecodedBlock, as: 'synced' | 'announced'): ImportResult;
  /**
   * Lets a transaction wait.
   * @returns it with its result, as it is passed on.
   * @throws {P2pError} BAD_TRX, TRX_EXE_FAILED
   */
  addTransaction(transaction: DecodedTransaction): DecodedTransaction;

  /** A block will be pushed soon: its signatures can be looked at. */
  prefetchSignatures(block: EncodedBlock): void;
  /** Blocks of a sync were pushed: all that was taken comes to the disk, what waited is offered again. */
  flush(): void;
}
