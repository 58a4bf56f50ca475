import { PBFTMessageDataType as DataType, PBFTCommitResult, PBFTMessageRaw } from '../../codec/generated/messages.js';
import { ProtobufError } from '../../codec/reader.js';
import { sha256 } from '../../crypto/hash.js';
import { ChainError } from '../../state-transition/errors.js';
import { BoundedCache } from '../bounded-cache.js';
import type { LocalChain } from '../local-chain.js';
import type { Peer } from '../peers/peer.js';
import type { PeerRelease } from '../releases/peer-release.js';
import { encodeMessage } from '../wire/messages.js';

/** Maximum size of a proof, in bytes: 27 signatures and a message of at most 4 KB. Larger proofs are ignored. */
const PROOF_BYTES_MAX = 8192;
/**
 * Maximum number of proofs that wait for their block, in releases before 4.8.2. In these releases, java-tron has no
 * limit.
 */
const QUEUED_MAX = 2000;
/** Maximum number of proofs that wait for their block, from release 4.8.2 on. */
const QUEUED_MAX_LATER = 200;
/** Lifetime of a queued proof, in ms. */
const QUEUED_MS = 600_000;
/**
 * Maximum number of cached epochs. An epoch is cached after its schedule proof was sent.
 * Reference: FetchInvDataMsgHandler.epochCache
 */
const EPOCHS_MAX = 1000;
/** Time for which an epoch is cached, in ms. */
const EPOCH_MS = 3_600_000;

/** Storage of proofs, encoded as `PBFTCommitResult`. Reference: PbftSignDataStore */
export interface ProofStore {
  ofBlock(height: bigint): Uint8Array | undefined;
  /** Returns the proof of a schedule. @param epochMs end of the epoch, ms */
  ofSchedule(epochMs: bigint): Uint8Array | undefined;
  /**
   * Stores a proof. Ignores a proof that is not about a block or a schedule.
   * @param raw message that the signatures in the proof sign
   */
  put(raw: PBFTMessageRaw, proof: Uint8Array): void;
}

interface ProofsOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly store: ProofStore;
  readonly quorum: number;
  readonly now: () => number;
}

/**
 * Proofs that a quorum of witnesses signed a block or a schedule. Sends them to syncing peers before the blocks, and
 * stores proofs received with synced blocks. Reference: PbftDataSyncHandler,
 * FetchInvDataMsgHandler.sendPbftCommitMessage.
 */
export class Proofs {
  private readonly options: ProofsOptions;
  private readonly queued: BoundedCache<Uint8Array>;
  private readonly provedEpochs: BoundedCache<true>;

  constructor(options: ProofsOptions) {
    const { release, now } = options;
    this.options = options;
    const entriesMax = release.ignoresUnusedVotes ? QUEUED_MAX_LATER : QUEUED_MAX;
    this.queued = new BoundedCache({ entriesMax, lifeMs: QUEUED_MS, now });
    this.provedEpochs = new BoundedCache({ entriesMax: EPOCHS_MAX, lifeMs: EPOCH_MS, now });
  }

  /**
   * Queues a received proof. {@link synced} verifies the proof when its block, or a block of its epoch, is imported.
   * @throws {ProtobufError} the proof is malformed
   */
  take(body: Uint8Array): void {
    if (!this.options.chain.usesVotes || body.length > PROOF_BYTES_MAX) return;
    const raw = rawOf(PBFTCommitResult.decode(body));
    if (raw !== undefined) this.queued.set(String(raw.viewN), body.slice());
  }

  /**
   * Called after a synced block was imported. Verifies and stores the queued proofs of the block and of its epoch.
   * @param timeMs block time
   */
  synced(height: number, timeMs: number): void {
    if (!this.options.chain.usesVotes) return;
    const epochMs = this.keep(String(height)) ?? this.epochAt(timeMs);
    this.keep(String(epochMs));
  }

  /**
   * Sends the proofs of a block and of its epoch before the block itself, if the peer is syncing.
   * @param timeMs returns the block time; called only if the block has no proof
   */
  send(peer: Peer, height: number, timeMs: () => number): void {
    const { chain, store } = this.options;
    if (!chain.usesVotes || peer.isInSync) return;
    const proof = store.ofBlock(BigInt(height));
    const raw = proof && rawOf(PBFTCommitResult.decode(proof));
    if (proof !== undefined) peer.send(encodeMessage('PBFT_COMMIT_MSG', proof));
    const epochMs = raw?.epoch ?? this.epochAt(timeMs());
    if (this.provedEpochs.has(String(epochMs))) return;
    const ofSchedule = store.ofSchedule(epochMs);
    if (ofSchedule === undefined) return;
    this.provedEpochs.set(String(epochMs), true);
    peer.send(encodeMessage('PBFT_COMMIT_MSG', ofSchedule));
  }

  /**
   * Verifies and stores a queued proof.
   * @returns the end of the epoch in the proof, even if the proof is invalid; undefined if no proof is queued
   */
  private keep(key: string): bigint | undefined {
    const { store } = this.options;
    const proof = this.queued.get(key);
    this.queued.delete(key);
    const result = proof && PBFTCommitResult.decode(proof);
    const raw = result && rawOf(result);
    if (proof === undefined || result === undefined || raw === undefined) return undefined;
    const { dataType, viewN, epoch } = raw;
    const known = dataType === DataType.BLOCK ? store.ofBlock(viewN) : store.ofSchedule(epoch);
    if (known === undefined && this.isProved(result)) store.put(raw, proof);
    return epoch;
  }

  /**
   * Returns true if a quorum of active witnesses signed the proof, and no other key did. This check is stricter than
   * java-tron's, which also accepts a proof without signatures, and counts two signatures of one witness twice.
   */
  private isProved({ data, signature }: PBFTCommitResult): boolean {
    const { chain, quorum } = this.options;
    const witnesses = new Set(chain.activeWitnesses());
    const hash = sha256(data);
    try {
      const signers = new Set(signature.map((each) => chain.signerOf(hash, each)));
      return signers.size >= quorum && [...signers].every((signer) => witnesses.has(signer));
    } catch (error) {
      if (error instanceof ChainError) return false;
      throw error;
    }
  }

  private epochAt(timeMs: number): bigint {
    const { intervalMs } = this.options.chain.maintenance;
    return (BigInt(timeMs) / intervalMs + 1n) * intervalMs;
  }
}

function rawOf({ data }: PBFTCommitResult): PBFTMessageRaw | undefined {
  try {
    return PBFTMessageRaw.decode(data);
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

/**
 * Returns an encoded `PBFTCommitResult`: the agreed message with the signatures of all witnesses whose votes were
 * counted.
 */
export function encodeProof(raw: PBFTMessageRaw, signature: readonly Uint8Array[]): Uint8Array {
  const data = PBFTMessageRaw.encode(raw);
  return PBFTCommitResult.encode(Object.assign(new PBFTCommitResult(), { data, signature: [...signature] }));
}
