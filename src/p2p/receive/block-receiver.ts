import type { Logger } from 'pino';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { encodedOf } from '../../state-transition/block/encoded-block.js';
import type { DoubleProducers } from '../inventory/double-producers.js';
import type { FetchWatch } from '../inventory/fetch-watch.js';
import type { ImportResult, LocalChain } from '../local-chain.js';
import { P2pError, rejectReasonIn } from '../p2p-error.js';
import type { PeerObserver } from '../peer-observer.js';
import type { Steps } from '../peer-slices.js';
import { itemKey, type Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import type { PeerRelease } from '../releases/peer-release.js';
import type { SyncClient } from '../sync/sync-client.js';
import { checkLargeBlock } from '../wire/large-block.js';
import { checkBlock, checkSizeAndTime, decideAnnounced, type GossipDecision, storedCopyOf } from './block-rules.js';
import { CanonicalBlocks } from './canonical-blocks.js';
import { readBlock, reading } from './read-messages.js';

export interface BlockReceiverParts {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly peers: PeerSet;
  readonly sync: SyncClient;
  readonly watch: FetchWatch;
  readonly doubles: DoubleProducers;
  /** True if blocks are accepted without a request. Set by the flag `--fast-forward`. */
  readonly isRelay: boolean;
  /** Called to announce an accepted block. */
  readonly announce: (block: DecodedBlock) => void;
  /** Called after an announced block became the new head. */
  readonly executed: (block: DecodedBlock) => void;
  readonly observer: PeerObserver;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Number of rejected blocks without an applied block between them, after which a peer is disconnected. A single
 * rejected block is not proof of bad intent, because nodes announce blocks of active witnesses before the execution.
 */
const REJECTED_MAX = 10;

/** Outcome of an announced block, for all cases in which the peer is not disconnected at once. */
type Outcome = ImportResult['kind'] | Extract<GossipDecision, { kind: 'dropped' }>['why'];

/**
 * Receives blocks of peers. Synced blocks are passed to the sync client, announced blocks to the chain.
 * Reference: BlockMsgHandler.
 */
export class BlockReceiver {
  private readonly parts: BlockReceiverParts;
  private readonly plain = new CanonicalBlocks();

  constructor(parts: BlockReceiverParts) {
    this.parts = parts;
  }

  /** Handles a received block. @throws {P2pError} the block is invalid, or was not requested */
  *take(peer: Peer, body: Uint8Array): Steps {
    const { chain, sync, release } = this.parts;
    const isTrusted = this.parts.isRelay || peer.isRelay;
    yield* checkLargeBlock(body, (id) => {
      const isRequested = peer.syncRequests.has(id) || peer.itemRequests.has(itemKey({ kind: 'block', id }));
      return isRequested || isTrusted;
    });
    const plain = this.plain.read(body, chain.isFiltered);
    if (plain !== undefined && peer.syncRequests.has(plain.idHex)) {
      if (release.checksBlocksFirst || !isTrusted) checkSizeAndTime(body.length, plain, chain.nowMs);
      sync.receiveBlock(peer, plain);
      return;
    }
    // Honest nodes encode a block canonically. Decoding another encoding is expensive, so its duration is charged to
    // the CPU time quota of the peer.
    if (plain === undefined) peer.channel.share.begin();
    const received = reading(readBlock, body, chain.isFiltered);
    const key = itemKey({ kind: 'block', id: received.idHex });
    const isSynced = peer.syncRequests.has(received.idHex);
    if (release.checksBlocksFirst) checkBlock(received, chain.nowMs);
    // The text is java-tron's: this node has not requested the block from the peer.
    if (!isTrusted && !isSynced && !peer.itemRequests.has(key)) throw new P2pError('BAD_MESSAGE', 'no request');
    if (!release.checksBlocksFirst && !isTrusted) checkBlock(received, chain.nowMs);
    const block = storedCopyOf(received, chain.rules);
    // The queue gets only the bytes of the block, because a decoded block of many short transactions needs ten times
    // this memory.
    if (isSynced) sync.receiveBlock(peer, encodedOf(block));
    else this.announced(peer, block, key);
  }

  /** Handles an announced block. Reference: BlockMsgHandler.processBlock. */
  private announced(peer: Peer, block: DecodedBlock, key: string): void {
    const { sync, watch, doubles, observer, log, now } = this.parts;
    if (peer.isRelay) peer.spread.add(key);
    const requestedMs = peer.itemRequests.get(key);
    peer.itemRequests.delete(key);
    const fetchMs = requestedMs === undefined ? undefined : now() - requestedMs;
    if (fetchMs !== undefined) peer.noteBlockLatency(fetchMs);
    const delayMs = now() - block.timeMs;
    observer.blockReceived(delayMs, fetchMs);
    watch.received(block.idHex);
    const outcome = this.decide(block);
    const fields = { num: block.number, hash: block.idHex, peer: peer.channel.key, delayMs };
    log.info({ ...fields, transactions: block.transactions.length, outcome }, 'block received');
    if (outcome === 'unlinked') sync.start(peer);
    else if (outcome === 'applied' || outcome === 'side') {
      doubles.took(block);
      this.noteCommon(peer, block, key);
    }
    this.noteOutcome(peer, block, outcome);
  }

  /**
   * Handles the outcome of an announced block. Reports an applied block. Disconnects a peer that sent REJECTED_MAX
   * rejected blocks. The reason UNKNOWN bans the peer for only one minute, because an honest peer may forward the
   * blocks of a malicious witness.
   */
  private noteOutcome(peer: Peer, block: DecodedBlock, outcome: Outcome): void {
    if (outcome === 'applied') {
      peer.rejectedBlocks = 0;
      this.parts.executed(block);
    } else if (outcome === 'refused') {
      peer.rejectedBlocks++;
      if (peer.rejectedBlocks >= REJECTED_MAX) peer.disconnect('UNKNOWN');
    }
  }

  /**
   * Checks, announces and imports a block. A block with a valid signature of an active witness is announced before its
   * execution, and any other block after its execution.
   * @throws {P2pError} a check failed, and the peer must be disconnected
   */
  private decide(block: DecodedBlock): Outcome {
    const { chain, announce, observer, log } = this.parts;
    const ruling = decideAnnounced(block, chain.checkHeader(block), chain.rules, chain.nowMs);
    if (ruling.kind === 'dropped') return ruling.why;
    if (ruling.kind === 'refused') throw rejectReasonIn(ruling.error, 'PARSE_MESSAGE_FAILED');
    if (ruling.isFirst) announce(block);
    const pushed = chain.importBlock(block, 'announced');
    if (pushed.kind === 'stopped') return 'stopped';
    if (pushed.kind === 'refused') {
      const { code, message: reason } = pushed.error;
      observer.refused(code, false);
      log.warn({ num: block.number, hash: block.idHex, reason }, 'announced block rejected');
    } else if (!ruling.isFirst) announce(block);
    return pushed.kind;
  }

  /**
   * Records the time of an accepted announced block. Makes the block the common block of all peers that announced it.
   * In release 4.7.2, the common block does not change, because java-tron searches for these peers with a wrong key.
   */
  private noteCommon(from: Peer, { idHex: hex, number }: DecodedBlock, key: string): void {
    const { release, peers, now } = this.parts;
    from.blockReceivedMs = now();
    if (!release.notesAnnounced) return;
    for (const peer of peers.active()) if (peer.received.has(key)) peer.setCommonBlock({ hex, number });
  }
}
