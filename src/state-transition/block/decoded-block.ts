import type { BlockSums } from '../../codec/block-parts.js';
import { Block, BlockHeader, BlockHeaderRaw, Transaction } from '../../codec/generated/messages.js';
import { sha256 } from '../../crypto/hash.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, equalBytes } from '../../primitives/bytes.js';
import { wrap64 } from '../../primitives/int64.js';
import type { DecodedTransaction } from '../transaction.js';
import { decodeTransaction, fieldSize } from '../transactions/decode-transaction.js';
import { type EncodedBlock, encodedBlock } from './encoded-block.js';

/** A block whose header and transactions are decoded. */
export interface DecodedBlock extends EncodedBlock {
  readonly message: Block;
  readonly transactions: readonly DecodedTransaction[];
  readonly isSigned: boolean;
}

/** Decodes a block. @throws {ProtobufError} the bytes are not a block */
export function decodeBlock(bytes: Uint8Array): DecodedBlock {
  return toDecodedBlock(Block.decode(bytes), bytes);
}

/**
 * Returns the decoded block. If it is already decoded, returns the block itself.
 * @throws {ProtobufError} the bytes are not a block
 */
export function wholeBlock(block: EncodedBlock | DecodedBlock): DecodedBlock {
  return 'transactions' in block ? block : decodeBlock(block.bytes);
}

export function toDecodedBlock(message: Block, bytes = Block.encode(message)): DecodedBlock {
  message.blockHeader ??= new BlockHeader();
  message.blockHeader.rawData ??= new BlockHeaderRaw();
  const encoded = encodedBlock({ header: message.blockHeader, transactionCount: message.transactions.length }, bytes);
  return {
    ...encoded,
    message,
    transactions: message.transactions.map(decodeTransaction),
    isSigned: encoded.witnessSignature.length > 0,
  };
}

/**
 * Returns the encoded size of a block and the sum of its transactions' fee limits. The log stores both next to the
 * block.
 */
export function sumsOfBlock({ message, transactions }: DecodedBlock): BlockSums {
  let encodedSize = Block.encode(Object.assign(new Block(), message, { transactions: [] })).length;
  let feeLimits = 0n;
  for (const { size, raw } of transactions) {
    encodedSize += fieldSize(size);
    feeLimits = wrap64(feeLimits + raw.feeLimit);
  }
  return { encodedSize, feeLimits };
}

/**
 * Returns the Merkle root of transactions, including signatures and results. In a level with an odd number of nodes,
 * the last node moves up unchanged.
 */
export function merkleRoot(transactions: readonly Transaction[]): Uint8Array {
  return rootOf(transactions.map((transaction) => sha256(Transaction.encode(transaction))));
}

export function hasRightMerkleRoot({ raw, transactions }: DecodedBlock): boolean {
  return equalBytes(raw.txTrieRoot, rootOf(transactions.map(({ hash }) => hash)));
}

function rootOf(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return new Uint8Array(32);
  let level = leaves;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const right = level[at + 1];
      above.push(right === undefined ? itemAt(level, at) : sha256(concatBytes(itemAt(level, at), right)));
    }
    level = above;
  }
  return itemAt(level, 0);
}
