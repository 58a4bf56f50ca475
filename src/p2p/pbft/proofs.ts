import { PBFTMessageDataType as DataType, PBFTCommitResult, PBFTMessageRaw } from '../../codec/generated/messages.js';
import { ProtobufError } from '../../codec/reader.js';
import { sha256 } from '../../crypto/hash.js';
import { ChainError } from '../../state-transition/errors.js';
import { BoundedCache } from '../bounded-cache.js';
import type { LocalChain } from '../local-chain.js';
import type { Peer } from '../peers/peer.js';
import type { PeerRelease } from '../releases/peer-release.js';
import { encodeMessage } from '../wire/messages.js';

/** Bytes of a proof: 27 signatures, of what has at most 4 KB. Longer ones are none. */
const PROOF_BYTES_MAX = 8192;
/**
 * Proofs that wait for their blocks, before and since release 4.8.2; the older release bounds neither number nor time.
 */
const WAITING_MAX = 2000;
const WAITING_MAX_LATER = 200;
const WAITING_MS = 600_000;
/**
 * Epochs whose schedule was proved to somebody, and for how long that is remembered.
 * Reference: FetchInvDataMsgHandler.epochCache
 */
const EPOCHS_MAX = 1000;
const EPOCH_MS = 3_600_000;

/** Where proofs are kept: encoded `PBFTCommitResult`. Reference: PbftSignDataStore */
export interface ProofStore {
  ofBlock(height: bigint): Uint8Array | undefined;
  /** @param epochMs end of the epoch */
  ofSchedule(epochMs: bigint): Uint8Array | undefined;
  /** @param raw what the proof is of; neither a block nor a schedule is not kept */
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
 * Proofs that so many witnesses agreed: given to peers that sync before the blocks that they are of, and taken with the
 * blocks of a sync. Reference: PbftDataSyncHandler, FetchInvDataMsgHandler.sendPbftCommitMessage.
 */
export class Proofs {
  private readonly options: ProofsOptions;
  private readonly waiting: BoundedCache<Uint8Array>;
  private readonly provedEpochs: BoundedCache<true>;

  constructor(options: ProofsOptions) {
    const { release, now } = options;
    this.options = options;
    const entriesMax = release.ignoresUnusedVotes ? WAITING_MAX_LATER : WAITING_MAX;
    this.waiting = new BoundedCache({ entriesMax, lifeMs: WAITING_MS, now });
    this.provedEpochs = new BoundedCache({ entriesMax: EPOCHS_MAX, lifeMs: EPOCH_MS, now });
  }

  /** One that a peer sent; it is looked at when its block is taken. @throws {ProtobufError} */
  take(body: Uint8Array): void {
    if (!this.options.chain.usesVotes || body.length > PROOF_BYTES_MAX) return;
    const raw = rawOf(PBFTCommitResult.decode(body));
    if (raw !== undefined) this.waiting.set(String(raw.viewN), body.slice());
  }

  /** A block of a sync was taken. @param timeMs its time */
  synced(height: number, timeMs: number): void {
    if (!this.options.chain.usesVotes) return;
    const epochMs = this.keep(String(height)) ?? this.epochAt(timeMs);
    this.keep(String(epochMs));
  }

  /**
   * Before a block goes to a peer that syncs.
   * @param timeMs of the block, which is asked where the block has no proof
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

  /** @returns end of the epoch that a waiting proof is of, right or wrong */
  private keep(key: string): bigint | undefined {
    const { store } = this.options;
    const proof = this.waiting.get(key);
    this.waiting.delete(key);
    const result = proof && PBFTCommitResult.decode(proof);
    const raw = result && rawOf(result);
    if (proof === undefined || result === undefined || raw === undefined) return undefined;
    const { dataType, viewN, epoch } = raw;
    const known = dataType === DataType.BLOCK ? store.ofBlock(viewN) : store.ofSchedule(epoch);
    if (known === undefined && this.isProved(result)) store.put(raw, proof);
    return epoch;
  }

  /**
   * Signed by enough witnesses that produce now, and by nobody else. The reference takes one without any signature too,
   * and counts two signatures of one witness as two.
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
 * `PBFTCommitResult`: what witnesses agreed on, as the last of them signed it, with the signatures of all that were
 * counted.
 */
export function encodeProof(raw: PBFTMessageRaw, signature: readonly Uint8Array[]): Uint8Array {
  const data = PBFTMessageRaw.encode(raw);
  return PBFTCommitResult.encode(Object.assign(new PBFTCommitResult(), { data, signature: [...signature] }));
}
