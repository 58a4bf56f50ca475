import { TransactionContractContractType as ContractType } from '../../codec/generated/messages.js';
import { HASH_BYTES } from '../../crypto/hash.js';
import { ChainError, unchecked } from '../errors.js';
import type { ReleaseTexts } from '../releases/release.js';
import { type DecodedBlock, hasRightMerkleRoot, merkleRoot } from './decoded-block.js';

/**
 * Checks the parts of a block that do not depend on the state. Called before the block is added to the recent blocks.
 * @param isOwn true if this node has produced the block; its Merkle root is then not checked
 * @throws {ChainError} BadBlockException: wrong Merkle root, or too many shielded transactions; an unchecked exception:
 * a hash that is not 32 bytes long, or a transaction without a contract
 */
export function checkContents(block: DecodedBlock, texts: ReleaseTexts, isOwn: boolean): void {
  const { raw, number, message } = block;
  if (!isOwn) {
    requireHash(raw.txTrieRoot);
    if (!hasRightMerkleRoot(block)) {
      const text = texts.merkleRoot(number, raw.txTrieRoot, merkleRoot(message.transactions));
      throw new ChainError('BadBlockException', text);
    }
  }
  checkShieldedCount(block);
  requireHash(raw.parentHash);
}

/** Rejects an id that is not 32 bytes long, with java-tron's unchecked exception. Reference: Sha256Hash.wrap. */
function requireHash(bytes: Uint8Array): void {
  if (bytes.length !== HASH_BYTES) throw unchecked('IllegalArgumentException');
}

/** Maximum number of shielded transactions per block. Reference: SHIELDED_TRANS_IN_BLOCK_COUNTS. */
const SHIELDED_MAX = 1;

/**
 * Rejects a block with more than SHIELDED_MAX shielded transactions.
 * @throws {ChainError} BadBlockException; as in java-tron, an unchecked exception if a transaction has no contract
 */
function checkShieldedCount({ transactions, number }: DecodedBlock): void {
  if (transactions.some(({ raw }) => raw.contract.length === 0))
    throw unchecked('IndexOutOfBoundsException', 'Index: 0');
  const count = transactions.filter(
    ({ contractType }) => contractType === ContractType.ShieldedTransferContract,
  ).length;
  if (count <= SHIELDED_MAX) return;
  throw new ChainError('BadBlockException', `num: ${number}, shielded transaction count > ${SHIELDED_MAX}`);
}
