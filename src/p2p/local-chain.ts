import type { DecodedBlock } from '../vm/block/decoded-block.js';
import type { DecodedTransaction } from '../vm/transaction.js';
import type { BlockId } from './wire/block-id.js';

/**
 * What became of a block that a peer sent after announcing it. `side`: it waits on a branch. `failed`: it is not taken, and nobody is to
 * blame.
 */
export type AnnouncedOutcome = 'applied' | 'side' | 'unlinked' | 'low' | 'inactive' | 'failed';

/**
 * The node's chain as the peers' side sees it; `src/node` implements it. All that it refuses is a `P2pError`, whose code decides
 * what the peer is told.
 */
export interface LocalChain {
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
  readonly waitingTransactions: number;
  /** Votes on irreversible blocks count. Reference: AllowPBFT */
  readonly usesVotes: boolean;
  /** Of the witnesses: when the next one is, and the time between two, ms. */
  readonly maintenance: { readonly nextMs: bigint; readonly intervalMs: bigint };
  /** Lowest height to which blocks can still be taken back. */
  readonly lowestUndoable: number;
  /** So many blocks wait for solidification that announced transactions are not asked for. */
  readonly isUnsolidified?: boolean;
  /** Of the canonical chain. */
  idAt(number: number): BlockId | undefined;
  isCanonical(id: BlockId): boolean;
  /** Canonical, or waiting on a branch. */
  isKnown(id: BlockId): boolean;
  /** Ids of a branch down to its common ancestor with the head's, which is the last; empty when there is none of its own. @throws {P2pError} HARD_FORKED */
  branchOf(id: BlockId): readonly BlockId[];
  /** Bytes of a block that is known. */
  block(id: BlockId): Uint8Array | undefined;
  /** Addresses (hex, 21 bytes) of the witnesses that produce now, in the order of the schedule. */
  activeWitnesses(): readonly string[];
  /** Addresses of those who may vote for the epoch that ends at a time, ms. */
  votersOf(epochMs: bigint): readonly string[];
  /** Address of the key that signed a hash. @throws {ChainError} no signature */
  signerOf(hash: Uint8Array, signature: Uint8Array): string;
  /** Whether a hash was signed by a witness, or by the key of its witness permission. @throws {ChainError} no signature */
  isSignedByWitness(addressHex: string, hash: Uint8Array, signature: Uint8Array): boolean;
  /** Bytes of a transaction of the canonical chain. */
  transaction(idHex: string): Uint8Array | undefined;

  /** @throws {P2pError | ProtobufError} */
  readBlock(bytes: Uint8Array): DecodedBlock;
  /** Of a message with any number of them. @throws {P2pError | ProtobufError} */
  readTransactions(bytes: Uint8Array): readonly DecodedTransaction[];
  /** Size and time of a block. @throws {P2pError} BAD_MESSAGE */
  checkBlock(block: DecodedBlock): void;
  /** The block as it is taken and passed on: some releases drop what they do not know of it. */
  keptOf(block: DecodedBlock): DecodedBlock;
  /** A block will be given to {@link takeSynced} soon: its signatures can be looked at. */
  prepare(block: DecodedBlock): void;
  /** Takes a block of a chain that this node asked for. @throws {P2pError} BLOCK_SIGN_ERROR, BLOCK_MERKLE_ERROR, BAD_BLOCK */
  takeSynced(block: DecodedBlock): void;
  /**
   * Takes a block that was announced. @param announce called once when others may hear of it: before it is executed if an active
   * witness signed it, else after. @throws {P2pError} what only a bad peer sends
   */
  takeAnnounced(block: DecodedBlock, announce: () => void): AnnouncedOutcome;
  /** Lets a transaction wait. @throws {P2pError} BAD_TRX, TRX_EXE_FAILED */
  takeTransaction(transaction: DecodedTransaction): void;
  /** All that was taken is on the disk; what waited is offered again. */
  settle(): void;
}
