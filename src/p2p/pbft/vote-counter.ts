import {
  PBFTMessageDataType as DataType,
  PBFTMessageMsgType as MsgType,
  PBFTMessage,
  PBFTMessageRaw,
} from '../../codec/generated/messages.js';
import { sha256 } from '../../crypto/hash.js';
import { toHex } from '../../primitives/bytes.js';
import { BoundedCache } from '../bounded-cache.js';

/** Time after which a round without a result ends, in ms. Reference: PbftMessageHandle.TIME_OUT. */
const ROUND_MS = 60_000;
/** Time in ms for which votes are stored that arrive before their block. Reference: PbftMessageHandle.pareMsgCache. */
const EARLY_MS = 120_000;
/**
 * Maximum number of early votes per witness: three votes for each of the 20 blocks of a minute, and a few more.
 * java-tron only has a limit of 10,000 for all witnesses, so one witness can evict the votes of all others.
 */
const EARLY_MAX = 64;
/** Maximum number of witnesses whose early votes are stored: twice the 54 witnesses of two schedules. */
const VOTERS_MAX = 108;

/** Subject of a vote: a block, or the witnesses of an epoch. */
export interface Proposal {
  readonly dataType: number;
  /** Height of the block, or end of the epoch. */
  readonly viewN: bigint;
  /** End of the epoch whose witnesses vote, ms. */
  readonly epoch: bigint;
  /** Id of the block, or the encoded list of witnesses. */
  readonly data: Uint8Array;
}

/** A vote whose signer is verified and may vote. */
export interface CountedVote {
  readonly raw: PBFTMessageRaw;
  /** Address of the signer, hex. */
  readonly signer: string;
  readonly signature: Uint8Array;
}

/** A witness key of this node. */
export interface VotingKey {
  /** Address of the key, hex. Other nodes identify the voter by this address. */
  readonly address: string;
  /** Returns a signature of 65 bytes. */
  sign(hash: Uint8Array): Uint8Array;
}

export interface VoteCounterOptions {
  /** Number of votes needed for an agreement: `node.agreeNodeCount`. */
  readonly quorum: number;
  /** Returns true while the node syncs. A syncing node does not propose, sign or agree. */
  readonly isSyncing: () => boolean;
  /** Returns the keys of this node that may vote for an epoch. */
  readonly keysOf: (epochMs: bigint) => readonly VotingKey[];
  /** Sends a PBFT_MSG body to all peers. */
  readonly send: (body: Uint8Array) => void;
  readonly agreed: (raw: PBFTMessageRaw, signatures: readonly Uint8Array[]) => void;
  readonly now: () => number;
}

/** Voting state of one height, or of one epoch. */
interface Round {
  readonly proposal: Proposal;
  readonly sinceMs: number;
  readonly prepared: Set<string>;
  readonly committed: Set<string>;
  /**
   * Number of PREPARE votes by the voted data in hex, because witnesses may vote for different blocks of one height.
   */
  readonly prepares: Map<string, number>;
  readonly signatures: Map<string, Uint8Array[]>;
  hasCommitted: boolean;
}

type EarlyVotes = BoundedCache<BoundedCache<CountedVote>>;

/**
 * Counts the votes of witnesses, and votes with the keys of this node. A round starts when this node has the block. The
 * node then votes PREPARE, and votes COMMIT after a quorum of PREPARE votes. Votes that arrive before the block are
 * stored. Reference: PbftMessageHandle.
 */
export class VoteCounter {
  private readonly options: VoteCounterOptions;
  /**
   * Open rounds. The key contains the height or the epoch. Usually there is one round for each block of the last
   * minute.
   */
  private readonly rounds = new Map<string, Round>();
  private readonly earlyPrepares: EarlyVotes;
  private readonly earlyCommits: EarlyVotes;
  /**
   * The newest witness list that this node proposed. If the round of this list ends without an agreement, the node
   * proposes the list once more. An agreement in any round clears this field.
   */
  private again: Proposal | undefined;

  constructor(options: VoteCounterOptions) {
    this.options = options;
    const bounds = { entriesMax: VOTERS_MAX, lifeMs: EARLY_MS, now: options.now };
    this.earlyPrepares = new BoundedCache(bounds);
    this.earlyCommits = new BoundedCache(bounds);
  }

  /** Starts a round, unless a round is open for the same height or epoch. Reference: PbftMessageHandle.onPrePrepare. */
  propose(proposal: Proposal): void {
    const { now, keysOf, isSyncing } = this.options;
    const key = roundKey(proposal);
    if (isSyncing() || this.rounds.has(key)) return;
    const round: Round = {
      proposal,
      sinceMs: now(),
      prepared: new Set(),
      committed: new Set(),
      prepares: new Map(),
      signatures: new Map(),
      hasCommitted: false,
    };
    this.rounds.set(key, round);
    for (const vote of takeAll(this.earlyPrepares, key)) this.prepare(vote);
    const keys = keysOf(proposal.epoch);
    for (const own of keys) this.prepare(this.vote(proposal, MsgType.PREPARE, own));
    if (keys.length > 0 && proposal.dataType === DataType.SRL) this.again = proposal;
  }

  /** Ends the round of a block that was reverted by a reorg. */
  withdraw(proposal: Proposal): void {
    this.end(roundKey(proposal));
  }

  take(vote: CountedVote): void {
    if (vote.raw.msgType === MsgType.PREPARE) this.prepare(vote);
    if (vote.raw.msgType === MsgType.COMMIT) this.commit(vote);
  }

  /** Ends rounds that timed out. Called once per second. */
  expire(): void {
    const endMs = this.options.now() - ROUND_MS;
    for (const [key, { sinceMs }] of [...this.rounds]) if (sinceMs < endMs) this.end(key);
  }

  get open(): number {
    return this.rounds.size;
  }

  private prepare(vote: CountedVote): void {
    const { keysOf, isSyncing, quorum } = this.options;
    const key = roundKey(vote.raw);
    const round = this.rounds.get(key);
    if (round === undefined) {
      this.keep(this.earlyPrepares, key, vote);
      return;
    }
    if (round.prepared.has(vote.signer)) return;
    round.prepared.add(vote.signer);
    const early = this.earlyCommits.get(vote.signer);
    const commit = early?.get(key);
    early?.delete(key);
    if (commit !== undefined) this.commit(commit);
    // An early COMMIT vote of the signer may have ended the round.
    if (this.rounds.get(key) !== round || round.hasCommitted || isSyncing()) return;
    const keys = keysOf(vote.raw.epoch);
    if (keys.length === 0) return;
    const dataHex = toHex(vote.raw.data);
    const count = (round.prepares.get(dataHex) ?? 0) + 1;
    round.prepares.set(dataHex, count);
    if (count < quorum) return;
    round.hasCommitted = true;
    for (const own of keys) this.commit(this.vote(vote.raw, MsgType.COMMIT, own));
  }

  private commit(vote: CountedVote): void {
    const { quorum, isSyncing, agreed } = this.options;
    const key = roundKey(vote.raw);
    const round = this.rounds.get(key);
    if (!round?.prepared.has(vote.signer)) {
      this.keep(this.earlyCommits, key, vote);
      return;
    }
    if (round.committed.has(vote.signer)) return;
    round.committed.add(vote.signer);
    const dataHex = toHex(vote.raw.data);
    const signatures = [...(round.signatures.get(dataHex) ?? []), vote.signature];
    round.signatures.set(dataHex, signatures);
    if (signatures.length < quorum) return;
    this.again = undefined;
    this.end(key);
    if (!isSyncing()) agreed(vote.raw, signatures);
  }

  private end(key: string): void {
    this.rounds.delete(key);
    const { again } = this;
    if (again === undefined || roundKey(again) !== key) return;
    this.propose(again);
    this.again = undefined;
  }

  private keep(early: EarlyVotes, key: string, vote: CountedVote): void {
    const { now } = this.options;
    const own = early.get(vote.signer) ?? new BoundedCache({ entriesMax: EARLY_MAX, lifeMs: EARLY_MS, now });
    own.set(key, vote);
    early.set(vote.signer, own);
  }

  /** Signs a vote and sends it. */
  private vote({ viewN, dataType, epoch, data }: Proposal, msgType: number, own: VotingKey): CountedVote {
    const raw = Object.assign(new PBFTMessageRaw(), { msgType, dataType, viewN, epoch, data });
    const signature = own.sign(sha256(PBFTMessageRaw.encode(raw)));
    this.options.send(PBFTMessage.encode(Object.assign(new PBFTMessage(), { rawData: raw, signature })));
    return { raw, signer: own.address, signature };
  }
}

function roundKey({ viewN, dataType }: Pick<Proposal, 'viewN' | 'dataType'>): string {
  return `${viewN}_${dataType}`;
}

/** Removes and returns the early votes of all witnesses for a height or an epoch. */
function takeAll(early: EarlyVotes, key: string): CountedVote[] {
  const found: CountedVote[] = [];
  for (const own of early.values()) {
    const vote = own.get(key);
    if (vote !== undefined) found.push(vote);
    own.delete(key);
  }
  return found;
}
