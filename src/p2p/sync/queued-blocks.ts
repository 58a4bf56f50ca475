import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import type { Peer } from '../peers/peer.js';

export interface QueuedBlock {
  /** It may be taken apart already. */
  readonly block: EncodedBlock;
  /** Who sent it. */
  readonly peer: Peer;
}

/** Blocks of a sync that came and wait to be executed. Reference: SyncService.blockWaitToProcess. */
export class QueuedBlocks {
  private readonly entries = new Map<string, QueuedBlock>();
  private bytesSum = 0;
  private transactionsSum = 0;

  get size(): number {
    return this.entries.size;
  }

  /** Of all blocks together. */
  get bytes(): number {
    return this.bytesSum;
  }

  /** Of all blocks together. */
  get transactions(): number {
    return this.transactionsSum;
  }

  has(id: string): boolean {
    return this.entries.has(id);
  }

  /** @returns false for one that waits already */
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

  /** One that is the next of some peer's chain. */
  nextOf(peers: Iterable<Peer>): QueuedBlock | undefined {
    if (this.entries.size === 0) return undefined;
    for (const { toFetch } of peers) {
      const found = toFetch[0] && this.entries.get(toFetch[0].hex);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Those that a peer sent. */
  *of(peer: Peer): Iterable<EncodedBlock> {
    for (const entry of this.entries.values()) if (entry.peer === peer) yield entry.block;
  }

  /** Those that are no higher than a block. */
  *upTo(number: number): Iterable<EncodedBlock> {
    for (const { block } of this.entries.values()) if (block.number <= number) yield block;
  }
}
