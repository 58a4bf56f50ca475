import type { Ledger } from '../../projections/ledger/ledger.js';
import { type BlockContent, readBlockEntry } from '../follow/block-content.js';
import {
  type AbiRegistry,
  type ChainPosition,
  type ContractChange,
  type ContractFacts,
  changesOf,
  factsOf,
} from './abi-registry.js';

/**
 * The ABI registry, plus the unsolidified blocks of one branch. Used to decode events at the head. Each reader has its
 * own object, because readers are at different log entries.
 */
export class BranchAbiRegistry {
  private readonly book: AbiRegistry;
  private readonly ledger: Ledger;
  /** Changes by block number, ascending. Blocks that are in the registry are removed. */
  private readonly blocks = new Map<number, readonly ContractChange[]>();

  constructor(book: AbiRegistry, ledger: Ledger) {
    this.book = book;
    this.ledger = ledger;
  }

  /** Adds a block at the end of the branch. */
  applied(block: BlockContent): void {
    const missing: Parameters<typeof changesOf>[0][] = [];
    let { parentId } = block;
    for (let number = block.number - 1; number > this.book.height && !this.blocks.has(number); number--) {
      const parent = this.ledger.entryOfId(Buffer.from(parentId, 'hex'));
      if (parent === undefined) break;
      const content = readBlockEntry(this.ledger, parent);
      missing.push(content);
      parentId = content.parentId;
    }
    for (const content of [...missing.reverse(), block]) this.blocks.set(content.number, changesOf(content));
  }

  reverted(number: number): void {
    this.blocks.delete(number);
  }

  solidified(block: BlockContent): void {
    this.book.fold(block);
    for (const number of this.blocks.keys()) if (number <= this.book.height) this.blocks.delete(number);
  }

  factsAt(address: Uint8Array, position: ChainPosition): ContractFacts {
    const hex = Buffer.from(address).toString('hex');
    const above = [...this.blocks.values()].flat().filter((change) => change.address === hex);
    return above.length === 0 ? this.book.factsAt(address, position) : factsOf(this.book, address, above, position);
  }
}
