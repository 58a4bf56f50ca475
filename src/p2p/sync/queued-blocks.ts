import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import type { Peer } from '../peers/peer.js';

export interface QueuedBlock {
  /** The received block. It may already be fully decoded. */
  readonly block: EncodedBlock;
  /** Peer that sent the block. */
  readonly peer: Peer;
}

/** Received blocks of a sync that wait for execution. Reference: SyncService.blockWaitToProcess. */
export class QueuedBlocks {
  private readonly entries = new Map<string, QueuedBlock>();
  private bytesSum = 0;
  private transactionsSum = 0;

  get size(): number {
    return this.entries.size;
  }

  /** Total size of the queued blocks, in bytes. */
  get bytes(): number {
    return this.bytesSum;
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

  /** Iterates over the blocks up to a height, inclusive. */
  *upTo(number: number): Iterable<EncodedBlock> {
    for (const { block } of this.entries.values()) if (block.number <= number) yield block;
  }
}
