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

/** Votes that are remembered, and for how long. Reference: PbftMsgHandler.msgCache. */
const VOTES_MAX = 10_000;
const VOTES_LIFE_MS = 600_000;

/** Maintenance intervals after which a vote on witnesses counts no more. Reference: PbftMsgHandler.processMessage. */
const VOTED_INTERVALS = 2n;

interface VoteGateOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly peers: PeerSet;
  /** Counts what is valid; absent: votes are only passed on. */
  readonly counter?: VoteCounter | undefined;
  readonly now: () => number;
}

/** Who syncs cannot know who may vote; who has no peers knows nothing. Reference: PbftBaseImpl.isSyncing. */
export function isSyncing(peers: PeerSet): boolean {
  const active = peers.active();
  return active.length === 0 || active.some(({ needsSyncFromPeer }) => needsSyncFromPeer);
}

/**
 * Votes of witnesses on irreversible blocks: a valid one is passed on once, to all others, and counted; whether the
 * chain has to use them is up to the release. Reference: PbftMsgHandler.
 */
export class VoteGate {
  private readonly options: VoteGateOptions;
  private readonly seen: BoundedCache<true>;

  constructor(options: VoteGateOptions) {
    this.options = options;
    this.seen = new BoundedCache({ entriesMax: VOTES_MAX, lifeMs: VOTES_LIFE_MS, now: options.now });
  }

  /** @throws {P2pError | ProtobufError | ChainError} a vote that is none, or of nobody who may vote */
  take(from: Peer, body: Uint8Array): void {
    const { chain, release, peers, counter } = this.options;
    const { rawData: raw = new PBFTMessageRaw(), signature } = PBFTMessage.decode(body);
    if (release.ignoresUnusedVotes && !chain.usesVotes) return;
    if (isSyncing(peers)) return;
    if (this.isOutdated(raw)) return;
    const signer = chain.signerOf(sha256(PBFTMessageRaw.encode(raw)), signature);
    const key = [raw.viewN, raw.dataType, signer, raw.msgType].join('_');
    if (this.seen.has(key)) return;
    if (!chain.votersOf(raw.epoch).includes(signer)) throw new P2pError('BAD_MESSAGE', `${signer} does not vote`);
    this.seen.set(key, true);
    const message = encodeMessage('PBFT_MSG', body);
    for (const peer of peers.active()) if (peer !== from) peer.send(message);
    if (chain.usesVotes) counter?.take({ raw, signer, signature });
  }
  /** On blocks far below the head, and on witnesses of long ago. */
  private isOutdated({ dataType, viewN, epoch }: PBFTMessageRaw): boolean {
    const { chain, release } = this.options;
    if (!release.ignoresUnusedVotes) return false;
    if (dataType === DataType.BLOCK) return chain.head.number - Number(viewN) > release.limits.votedBlocks;
    const { nextMs, intervalMs } = chain.maintenance;
    return dataType === DataType.SRL && nextMs - epoch > VOTED_INTERVALS * intervalMs;
  }
}
