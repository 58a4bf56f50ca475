import { PBFTMessageDataType as DataType, PBFTMessage, PBFTMessageRaw } from '../../codec/generated/messages.js';
import { sha256 } from '../../crypto/hash.js';
import { BoundedCache } from '../bounded-cache.js';
import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import type { Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import type { PeerRelease } from '../releases/peer-release.js';
import { encodeMessage } from '../wire/messages.js';
import type { VoteCounter } from './vote-counter.js';

/** Maximum number of cached votes. Reference: PbftMsgHandler.msgCache. */
const VOTES_MAX = 10_000;
/** Lifetime of a cached vote, in ms. */
const VOTES_LIFE_MS = 600_000;

/**
 * A vote on a witness list is outdated if its epoch ended more than this number of maintenance intervals before the
 * next maintenance. Reference: PbftMsgHandler.processMessage.
 */
const VOTED_INTERVALS = 2n;

interface VoteGateOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly peers: PeerSet;
  /** Counter of valid votes. If undefined, votes are only forwarded. */
  readonly counter?: VoteCounter | undefined;
  readonly now: () => number;
}

/** Returns true if the node is syncing or has no peers. Reference: PbftBaseImpl.isSyncing. */
export function isSyncing(peers: PeerSet): boolean {
  const active = peers.active();
  return active.length === 0 || active.some(({ needsSyncFromPeer }) => needsSyncFromPeer);
}

/**
 * Validates PBFT votes of witnesses. Counts each valid vote and forwards it once to all other peers. Some releases
 * ignore votes until the chain enables PBFT. Reference: PbftMsgHandler.
 */
export class VoteGate {
  private readonly options: VoteGateOptions;
  private readonly seen: BoundedCache<true>;

  constructor(options: VoteGateOptions) {
    this.options = options;
    this.seen = new BoundedCache({ entriesMax: VOTES_MAX, lifeMs: VOTES_LIFE_MS, now: options.now });
  }

  /**
   * Handles a vote.
   * @throws {P2pError | ProtobufError | ChainError} the vote is invalid, or its signer is not allowed to vote
   */
  take(from: Peer, body: Uint8Array): void {
    const { chain, release, peers, counter } = this.options;
    const { rawData: raw = new PBFTMessageRaw(), signature } = PBFTMessage.decode(body);
    if (release.ignoresUnusedVotes && !chain.usesVotes) return;
    if (isSyncing(peers)) return;
    if (this.isOutdated(raw)) return;
    const signer = chain.signerOf(sha256(PBFTMessageRaw.encode(raw)), signature);
    const key = [raw.viewN, raw.dataType, signer, raw.msgType].join('_');
    if (this.seen.has(key)) return;
    if (!chain.votersOf(raw.epoch).includes(signer)) throw new P2pError('BAD_MESSAGE', `${signer} may not vote`);
    this.seen.set(key, true);
    const message = encodeMessage('PBFT_MSG', body);
    for (const peer of peers.active()) if (peer !== from) peer.send(message);
    if (chain.usesVotes) counter?.take({ raw, signer, signature });
  }
  /** Returns true if a vote is for a block far below the head, or for an old witness list. */
  private isOutdated({ dataType, viewN, epoch }: PBFTMessageRaw): boolean {
    const { chain, release } = this.options;
    if (!release.ignoresUnusedVotes) return false;
    if (dataType === DataType.BLOCK) return chain.head.number - Number(viewN) > release.limits.votedBlocks;
    const { nextMs, intervalMs } = chain.maintenance;
    return dataType === DataType.SRL && nextMs - epoch > VOTED_INTERVALS * intervalMs;
  }
}
