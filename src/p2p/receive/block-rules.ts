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

/** ms that a block's time may lie ahead: for the first look, and for the one before it is executed. */
const AHEAD_MAX_MS = 3000;
const AHEAD_SLACK_MS = 1000;

/** Size and time of a block that was asked for. Reference: BlockMsgHandler.check. @throws {P2pError} BAD_MESSAGE */
export function checkBlock(block: DecodedBlock, nowMs: number): void {
  checkSizeAndTime(writtenSize(block), block, nowMs);
}

/** The same of a block that is written in so many bytes. @throws {P2pError} BAD_MESSAGE */
export function checkSizeAndTime(size: number, block: EncodedBlock, nowMs: number): void {
  if (size > BLOCK_BYTES_MAX) throw new P2pError('BAD_MESSAGE', 'block size over limit');
  if (block.timeMs - nowMs >= AHEAD_MAX_MS) throw new P2pError('BAD_MESSAGE', 'block time error');
}

/**
 * A peer's block as it is stored and passed on: without what the schema does not know of the block and of its header,
 * where the release drops that. Raw header and transactions stay, and with them id and root. Reference:
 * BlockCapsule.sanitize.
 */
export function storedCopyOf(block: DecodedBlock, { rules }: Pick<Release, 'rules'>): DecodedBlock {
  const { message } = block;
  const hasUnknown = message.$unknown !== undefined || message.blockHeader?.$unknown !== undefined;
  if (!hasUnknown || !rules.stripsUnknown) return block;
  const kept = message.clone();
  kept.$unknown = undefined;
  if (kept.blockHeader !== undefined) kept.blockHeader.$unknown = undefined;
  return toDecodedBlock(kept);
}

/** What the rules say of an announced block before it is executed. */
export type GossipDecision =
  /** It is to be executed. @param isFirst others hear of it before that */
  | { readonly kind: 'wanted'; readonly isFirst: boolean }
  /** It is passed over, and nobody is to blame. */
  | { readonly kind: 'dropped'; readonly why: 'unlinked' | 'low' | 'inactive' }
  /** Only a bad peer sends it. @param at what was looked at */
  | { readonly kind: 'refused'; readonly at: 'parent' | 'valid'; readonly error: P2pError | ChainError };

/**
 * Rules on a block that a peer announced and this node asked for. The first fault counts, and releases look in another
 * order.
 * Reference: BlockMsgHandler.processBlock, TronNetDelegate.validBlock.
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

/** Reference: TronNetDelegate.validBlock. */
function timeFault({ timeMs }: DecodedBlock, nowMs: number): P2pError | undefined {
  if (timeMs - nowMs <= AHEAD_SLACK_MS) return undefined;
  return new P2pError('BAD_BLOCK', `time:${nowMs},block time:${timeMs}`);
}

/** Unchecked for a root of another length. Reference: BlockCapsule.validateMerkleRoot. */
function rootFault(block: DecodedBlock, { texts }: Pick<Release, 'texts'>): P2pError | ChainError | undefined {
  const { txTrieRoot } = block.raw;
  if (txTrieRoot.length !== HASH_BYTES) return unchecked('IllegalArgumentException');
  if (hasRightMerkleRoot(block)) return undefined;
  const text = texts.merkleRoot(block.number, txTrieRoot, merkleRoot(block.message.transactions));
  return new P2pError('BLOCK_MERKLE_ERROR', text);
}
