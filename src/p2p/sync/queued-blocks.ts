import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import type { Peer } from '../peers/peer.js';

/** Block size in bytes that is expected until blocks have arrived. */
const FIRST_MEAN_BYTES = 32 * 1024;
/** Number of blocks after which the mean size has adapted to a new block size. */
const MEAN_BLOCKS = 16;

export interface QueuedBlock {
  /** The received block. */
  readonly block: EncodedBlock;
  /** Peer that sent the block. */
  readonly peer: Peer;
}

/** Received blocks of a sync that wait for execution. Reference: SyncService.blockWaitToProcess. */
export class QueuedBlocks {
  private readonly entries = new Map<string, QueuedBlock>();
  private bytesSum = 0;
  private transactionsSum = 0;
  private mean = FIRST_MEAN_BYTES;

  get size(): number {
    return this.entries.size;
  }

  /** Total size of the queued blocks, in bytes. */
  get bytes(): number {
    return this.bytesSum;
  }

  /** Mean size of the last received blocks, in bytes. */
  get meanBytes(): number {
    return this.mean;
  }

  /** Total number of transactions in the queued blocks. */
  get transactions(): number {
    return this.transactionsSum;
  }

  has(id: string): boolean {
    return this.entries.has(id);
  }

  /** Adds a block to the queue. @returns false if the block is already queued */
  add(entry: QueuedBlock): boolean {
    const { block, peer } = entry;
    if (this.entries.has(block.idHex)) return false;
    this.entries.set(block.idHex, entry);
    this.bytesSum += block.bytes.length;
    this.mean += (block.bytes.length - this.mean) / MEAN_BLOCKS;
    this.transactionsSum += block.transactionCount;
    peer.inProcess.add(block.idHex);
    return true;
  }

  remove(id: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    this.entries.delete(id);
    this.bytesSum -= entry.block.bytes.length;
    this.transactionsSum -= entry.block.transactionCount;
    entry.peer.inProcess.delete(id);
  }

  /** Returns a queued block that is the next block in the chain of one of the peers. */
  nextOf(peers: Iterable<Peer>): QueuedBlock | undefined {
    if (this.entries.size === 0) return undefined;
    for (const { toFetch } of peers) {
      const found = toFetch[0] && this.entries.get(toFetch[0].hex);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Iterates over the blocks that a peer sent. */
  *of(peer: Peer): Iterable<EncodedBlock> {
    for (const entry of this.entries.values()) if (entry.peer === peer) yield entry.block;
  }

  /** Returns the peer that sent the largest part of the queued bytes; undefined if the queue is empty. */
  largestSender(): Peer | undefined {
    const bytes = new Map<Peer, number>();
    for (const { block, peer } of this.entries.values()) bytes.set(peer, (bytes.get(peer) ?? 0) + block.bytes.length);
    return [...bytes].sort(([, a], [, b]) => b - a)[0]?.[0];
  }

  /** Iterates over the blocks up to a height, inclusive. */
  *upTo(number: number): Iterable<EncodedBlock> {
    for (const { block } of this.entries.values()) if (block.number <= number) yield block;
  }
}
