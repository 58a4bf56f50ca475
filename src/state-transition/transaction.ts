import type { Transaction, TransactionContract, TransactionRaw } from '../codec/generated/messages.js';
import type { Address } from '../primitives/address.js';

/** A transaction with its first contract decoded. */
export interface TransactionContent {
  readonly message: Transaction;
  readonly raw: TransactionRaw;
  /** Its first contract; a transaction with none, or several, is refused before anything asks. */
  readonly contract: TransactionContract;
  /** Number of `Transaction.Contract.ContractType`. */
  readonly contractType: number;
  /** The decoded `Any` of the contract: the message that the handler of `contractType` names. */
  readonly parameter: object;
  readonly owner: Address;
}

/** A transaction taken apart once: everything that signatures, rules, receipts and indexes ask of it. */
export interface DecodedTransaction extends TransactionContent {
  /** SHA-256 of raw_data as written again. */
  readonly id: Uint8Array;
  readonly idHex: string;
  /** The whole message as written again, results included. */
  readonly bytes: Uint8Array;
  /** SHA-256 of these bytes: its leaf in a block's tree. */
  readonly hash: Uint8Array;
  /** Number of these bytes. */
  readonly size: number;
  readonly sizeWithoutResult: number;
  /** Bytes of its result messages, without their tags. */
  readonly resultSize: number;
}

/**
 * The block under execution; for a waiting transaction, the one it would be in: the head's number + 1 does not count.
 */
export interface BlockContext {
  readonly number: number;
  readonly timeMs: number;
  /** Producer of the block (COINBASE). */
  readonly witness: Uint8Array;
  readonly parentId: Uint8Array;
  /** Signed by a witness already: its results are fixed, and no clock decides. False while this node packs a block. */
  readonly isSigned: boolean;
  /** Signed by this node. Reference: BlockCapsule.generatedByMyself. */
  readonly isOwn?: boolean;
}

/** What the execution of one transaction has at hand beside the state. */
export interface TransactionContext {
  readonly transaction: DecodedTransaction;
  /** Undefined for a transaction that is tried on top of the head. */
  readonly block: BlockContext | undefined;
  /**
   * It is only being built for its owner: what it will cost is set aside.
   * Reference: TransactionCapsule.isTransactionCreate.
   */
  readonly isBeingBuilt?: true;
}
