import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../state-transition/block/encoded-block.js';
import type { Release } from '../state-transition/releases/release.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import type { P2pError } from './p2p-error.js';
import type { BlockId } from './wire/block-id.js';

/** Result of checking a block header against the state of the head. */
export interface HeaderCheck {
  /** True if the parent is canonical or on a stored branch. */
  readonly isLinked: boolean;
  /** True if the block has a lower height than the head. */
  readonly isLow: boolean;
  /** True if the witness is one of the active witnesses. */
  readonly isActive: boolean;
  /** Error BLOCK_SIGN_ERROR; undefined if the block is signed with the witness's key. */
  readonly signatureFault: P2pError | undefined;
}

/** Result of importing a block. */
export type ImportResult =
  /** The block is the new head. */
  | { readonly kind: 'applied' }
  /** The block is stored on a branch, or was already known. */
  | { readonly kind: 'side' }
  /**
   * The block is rejected. The code of `error` is BLOCK_MERKLE_ERROR or BAD_BLOCK. The code is PARSE_MESSAGE_FAILED for
   * an announced block for which java-tron throws an unchecked exception.
   */
  | { readonly kind: 'refused'; readonly error: P2pError }
  /** The block could not be made durable, for example on a full disk. The block is valid, and can be imported again. */
  | { readonly kind: 'unstored' }
  /** The block is above the configured stop height. */
  | { readonly kind: 'stopped' };

/**
 * The chain as the p2p module uses it, implemented by `src/node`. `src/p2p/receive` checks blocks before they are
 * imported. A rejection is a `P2pError`; its code selects the disconnect reason for the peer.
 */
export interface LocalChain {
  /** Rules of the emulated release. */
  readonly rules: Release;
  /** True if messages with unknown protobuf fields are rejected. Reference: ALLOW_PROTO_FILTER_NUM */
  readonly isFiltered: boolean;
  /** Time between two blocks, in ms. */
  readonly slotMs: number;
  /** Current time by the node's clock, against which block times are checked, in ms since 1970. */
  readonly nowMs: number;
  readonly genesis: BlockId;
  readonly head: BlockId;
  /** Newest block of the longest known branch. It differs from the head after a failed reorg. */
  readonly branchHead: BlockId;
  readonly solidified: BlockId;
  /** Time of the solidified block, ms since 1970. */
  readonly solidifiedTimeMs: number;
  /** Lowest height of a stored block, except genesis; 0 if no block is stored. */
  readonly lowestNumber: number;
  /** Time of the last import of a block, or of the process start if no block was imported, in ms since 1970. */
  readonly savedMs: number;
  /** Number of pending transactions in the mempool of this node. */
  readonly pendingTransactions: number;
  /** True if PBFT votes on solidified blocks are enabled. Reference: AllowPBFT */
  readonly usesVotes: boolean;
  /** Time of the next maintenance in ms since 1970, and interval between two maintenances in ms. */
  readonly maintenance: { readonly nextMs: bigint; readonly intervalMs: bigint };
  /** Lowest height to which a reorg can revert the chain. */
  readonly lowestRevertible: number;
  /** True if too many blocks are not solidified. This node then requests no announced transactions. */
  readonly isUnsolidified?: boolean;
  /** Returns the id of the canonical block at a height; undefined if the height is unknown. */
  idAt(number: number): BlockId | undefined;
  isCanonical(id: BlockId): boolean;
  /** Returns true if a block is canonical or on a stored branch. */
  isKnown(id: BlockId): boolean;
  /**
   * Returns the ids from a block down to the common ancestor of its branch and the canonical chain, including the
   * ancestor. Empty for a canonical block.
   * @throws {P2pError} HARD_FORKED: the recent blocks of this node contain no common ancestor
   */
  branchOf(id: BlockId): readonly BlockId[];
  /** Returns the bytes of a known block; undefined for an unknown block. */
  block(id: BlockId): Uint8Array | undefined;
  /** Returns the addresses of the active witnesses (21 bytes in hex), in the order of the schedule. */
  activeWitnesses(): readonly string[];
  /** Returns the addresses of the witnesses that may vote for an epoch. @param epochMs end of the epoch, in ms */
  votersOf(epochMs: bigint): readonly string[];
  /** Returns the address of the key that signed a hash. @throws {ChainError} when the signature is invalid */
  signerOf(hash: Uint8Array, signature: Uint8Array): string;
  /**
   * Returns true if a witness signed a hash, with its own key or with the key of its witness permission.
   * @throws {ChainError} when the signature is invalid
   */
  isSignedByWitness(addressHex: string, hash: Uint8Array, signature: Uint8Array): boolean;
  /** Returns the bytes of a canonical transaction; undefined for an unknown transaction. */
  transaction(idHex: string): Uint8Array | undefined;

  /** Checks a block header against the state of the head. */
  checkHeader(block: EncodedBlock): HeaderCheck;
  /**
   * Imports a block: a checked block of a sync, or an announced block that passed the header checks. The import may
   * also advance the solidified block.
   */
  importBlock(block: DecodedBlock, as: 'synced' | 'announced'): ImportResult;
  /**
   * Adds a transaction to the mempool.
   * @returns the transaction in the form to forward to peers, which contains its execution result
   * @throws {P2pError} BAD_TRX or TRX_EXE_FAILED when the transaction is invalid
   */
  addTransaction(transaction: DecodedTransaction): DecodedTransaction;

  /** Starts to recover the public keys of the signers of a block that will be imported soon. */
  prefetchSignatures(block: EncodedBlock): void;
  /** Ends a series of imports: flushes imported blocks to disk and executes pending transactions again. */
  flush(): void;
}
