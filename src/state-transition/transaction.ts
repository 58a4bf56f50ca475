import type { Transaction, TransactionContract, TransactionRaw } from '../codec/generated/messages.js';
import type { Address } from '../primitives/address.js';

/** A transaction with its first contract decoded. */
export interface TransactionContent {
  readonly message: Transaction;
  readonly raw: TransactionRaw;
  /**
   * The first contract. A transaction with no contract, or with more than one, is rejected before this field is used.
   */
  readonly contract: TransactionContract;
  /** Number of the contract type in the enum `Transaction.Contract.ContractType`. */
  readonly contractType: number;
  /** Decoded parameter of the contract. Its message type is that of `contractType`. */
  readonly parameter: object;
  readonly owner: Address;
}

/** The parts of a transaction that JSON-RPC answers need. */
export interface ShownTransaction extends Pick<TransactionContent, 'contractType' | 'parameter'> {
  readonly id: Uint8Array;
  /** The first signature; undefined for a transaction without signatures. */
  readonly signature: Uint8Array | undefined;
}

/** A decoded transaction with the values that signature checks, rules, receipts and indexes need. */
export interface DecodedTransaction extends TransactionContent {
  /** SHA-256 of the re-encoded `raw_data`. */
  readonly id: Uint8Array;
  readonly idHex: string;
  /** The whole message after re-encoding, including results. */
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`. It is the leaf of the transaction in the Merkle tree of its block. */
  readonly hash: Uint8Array;
  /** Size of the whole message in bytes, equal to the length of `bytes`. */
  readonly size: number;
  readonly sizeWithoutResult: number;
  /** Length of the encoded results in bytes, without their tags. */
  readonly resultSize: number;
}

/**
 * The block in which a transaction is executed: a received block, a block that this node builds, or the assumed next
 * block for a simulated call.
 */
export interface BlockContext {
  readonly number: number;
  readonly timeMs: number;
  /** Address of the block producer. Programs read this address with COINBASE. */
  readonly witness: Uint8Array;
  readonly parentId: Uint8Array;
  /**
   * True for a block that its producer has signed, so the results of its transactions are fixed. False while this
   * node builds a block.
   */
  readonly isSigned: boolean;
  /**
   * True if the block's signature checks are skipped; see the options of `executeBlock`. A timeout then has another
   * error text. Reference: BlockCapsule.generatedByMyself.
   */
  readonly isOwn?: boolean;
}

/** Context of the execution of one transaction, apart from the state. */
export interface TransactionContext {
  readonly transaction: DecodedTransaction;
  /** Block that contains the transaction; undefined for a pending transaction, which is executed on top of the head. */
  readonly block: BlockContext | undefined;
  /**
   * Set if an API builds this transaction. Checks of available stake then reserve bandwidth for the transaction itself.
   * Reference: TransactionCapsule.isTransactionCreate.
   */
  readonly isBeingBuilt?: true;
}
