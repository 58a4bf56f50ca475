import { Block, BlockHeader, BlockHeaderRaw, Transaction } from '../../codec/generated/messages.js';
import { type Address, toAddress } from '../../domain/address.js';
import { itemAt } from '../../domain/assert.js';
import { concatBytes, equalBytes, fromInt64, toHex } from '../../domain/bytes.js';
import { sha256 } from '../../domain/hash.js';
import type { DecodedTransaction } from '../transaction.js';
import { decodeTransaction } from '../transactions/decode-transaction.js';

/** A block taken apart once. */
export interface DecodedBlock {
  readonly message: Block;
  readonly raw: BlockHeaderRaw;
  /** As received, or as this node wrote it. */
  readonly bytes: Uint8Array;
  /** Height in the first 8 bytes, then the tail of the header's hash. */
  readonly id: Uint8Array;
  readonly idHex: string;
  readonly number: number;
  readonly timeMs: number;
  readonly parentIdHex: string;
  readonly witness: Address;
  readonly transactions: readonly DecodedTransaction[];
  readonly isSigned: boolean;
}

/** @throws {ProtobufError} bytes that are no block */
export function decodeBlock(bytes: Uint8Array): DecodedBlock {
  return toDecodedBlock(Block.decode(bytes), bytes);
}

export function toDecodedBlock(message: Block, bytes = Block.encode(message)): DecodedBlock {
  message.blockHeader ??= new BlockHeader();
  message.blockHeader.rawData ??= new BlockHeaderRaw();
  const raw = message.blockHeader.rawData;
  const id = blockId(raw);
  return {
    message,
    raw,
    bytes,
    id,
    idHex: toHex(id),
    number: Number(raw.number),
    timeMs: Number(raw.timestamp),
    parentIdHex: toHex(raw.parentHash),
    witness: toAddress(raw.witnessAddress),
    transactions: message.transactions.map(decodeTransaction),
    isSigned: message.blockHeader.witnessSignature.length > 0,
  };
}

/** Reference: BlockCapsule.BlockId. */
export function blockId(raw: BlockHeaderRaw): Uint8Array {
  return concatBytes(fromInt64(raw.number), headerHash(raw).subarray(8));
}

/** What a witness signs: SHA-256 of the header as written again. */
export function headerHash(raw: BlockHeaderRaw): Uint8Array {
  return sha256(BlockHeaderRaw.encode(raw));
}

/** Root over the whole transactions, signatures and results included; an odd last node is carried up unchanged. */
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
