import { HASH_BYTES } from '../../crypto/hash.js';
import {
  type DecodedBlock,
  hasRightMerkleRoot,
  merkleRoot,
  toDecodedBlock,
} from '../../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import { type ChainError, unchecked } from '../../state-transition/errors.js';
import type { Release } from '../../state-transition/releases/release.js';
import type { HeaderCheck } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import { BLOCK_BYTES_MAX } from '../wire/large-block.js';
import { writtenSize } from './read-messages.js';

/** A received block is rejected if its time is ahead of the clock by at least this time, in ms. */
const AHEAD_MAX_MS = 3000;
/** A block is not executed if its time is ahead of the clock by more than this time, in ms. */
const AHEAD_SLACK_MS = 1000;

/**
 * Checks size and time of a requested block. Reference: BlockMsgHandler.check.
 * @throws {P2pError} BAD_MESSAGE: the block is too large, or its time is too far ahead of the clock
 */
export function checkBlock(block: DecodedBlock, nowMs: number): void {
  checkSizeAndTime(writtenSize(block), block, nowMs);
}

/**
 * Checks size and time of a block with a known encoded size.
 * @throws {P2pError} BAD_MESSAGE: the block is too large, or its time is too far ahead of the clock
 */
export function checkSizeAndTime(size: number, block: EncodedBlock, nowMs: number): void {
  if (size > BLOCK_BYTES_MAX) throw new P2pError('BAD_MESSAGE', 'block size over limit');
  if (block.timeMs - nowMs >= AHEAD_MAX_MS) throw new P2pError('BAD_MESSAGE', 'block time error');
}

/**
 * Returns the block in the form in which it is stored and forwarded. Some releases remove the unknown fields of the
 * block and of its header. Block id and merkle root never change, because the raw header and the transactions remain
 * the same. Reference: BlockCapsule.sanitize.
 */
export function storedCopyOf(block: DecodedBlock, { rules }: Pick<Release, 'rules'>): DecodedBlock {
  const { message } = block;
  const hasUnknown = message.$unknown !== undefined || message.blockHeader?.$unknown !== undefined;
  if (!hasUnknown || !rules.stripsUnknown) return block;
  const copy = message.clone();
  copy.$unknown = undefined;
  if (copy.blockHeader !== undefined) copy.blockHeader.$unknown = undefined;
  return toDecodedBlock(copy);
}

/** Decision about an announced block before its execution. */
export type GossipDecision =
  /** The block is executed. @param isFirst true if the block is announced before its execution */
  | { readonly kind: 'wanted'; readonly isFirst: boolean }
  /** The block is ignored, without a penalty for the peer. */
  | { readonly kind: 'dropped'; readonly why: 'unlinked' | 'low' | 'inactive' }
  /** The block is rejected and the peer disconnected. @param at the failed check */
  | { readonly kind: 'refused'; readonly at: 'parent' | 'valid'; readonly error: P2pError | ChainError };

/**
 * Decides about a requested announced block. The first check that fails determines the result. The release determines
 * the order of the checks. Reference: BlockMsgHandler.processBlock, TronNetDelegate.validBlock.
 */
export function decideAnnounced(
  block: DecodedBlock,
  judgement: HeaderCheck,
  release: Pick<Release, 'rules' | 'texts'>,
  nowMs: number,
): GossipDecision {
  const { isLinked, isLow, isActive, signatureFault } = judgement;
  const { validatesAnnouncedFirst } = release.rules;
  if (validatesAnnouncedFirst) {
    const error = timeFault(block, nowMs) ?? rootFault(block, release) ?? signatureFault;
    if (error !== undefined) return { kind: 'refused', at: 'valid', error };
    if (!isActive) return { kind: 'dropped', why: 'inactive' };
  }
  if (block.raw.parentHash.length !== HASH_BYTES)
    return { kind: 'refused', at: 'parent', error: unchecked('IllegalArgumentException') };
  if (!isLinked) return { kind: 'dropped', why: 'unlinked' };
  if (isLow) return { kind: 'dropped', why: 'low' };
  if (!validatesAnnouncedFirst) {
    const error = timeFault(block, nowMs) ?? signatureFault;
    if (error !== undefined) return { kind: 'refused', at: 'valid', error };
  }
  return { kind: 'wanted', isFirst: isActive };
}

/**
 * Returns an error with java-tron's text if the block time is too far ahead of the clock, otherwise undefined.
 * Reference: TronNetDelegate.validBlock.
 */
function timeFault({ timeMs }: DecodedBlock, nowMs: number): P2pError | undefined {
  if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;
  return new P2pError('BAD_BLOCK', `time:${nowMs},block time:${timeMs}`);
}

/**
 * Returns the error for a wrong merkle root; undefined for a correct one. If the root is not 32 bytes long, the error
 * is java-tron's unchecked exception. Reference: BlockCapsule.validateMerkleRoot.
 */
function rootFault(block: DecodedBlock, { texts }: Pick<Release, 'texts'>): P2pError | ChainError | undefined {
  const { txTrieRoot } = block.raw;
  if (txTrieRoot.length !== HASH_BYTES) return unchecked('IllegalArgumentException');
  if (hasRightMerkleRoot(block)) return undefined;
  const text = texts.merkleRoot(block.number, txTrieRoot, merkleRoot(block.message.transactions));
  return new P2pError('BLOCK_MERKLE_ERROR', text);
}
