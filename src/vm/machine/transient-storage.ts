import type { Address } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';

interface Change {
  readonly key: string;
  readonly before: bigint | undefined;
}

/**
 * Storage slots that exist until the end of the transaction. There is no maximum number of slots, because the energy
 * price of writes limits their number. Reference: RepositoryImpl.transientStorage.
 */
export class TransientStorage {
  private readonly values = new Map<string, bigint>();
  private readonly journal: Change[] = [];

  load(owner: Address, slot: bigint): bigint {
    return this.values.get(keyOf(owner, slot)) ?? 0n;
  }

  store(owner: Address, slot: bigint, value: bigint): void {
    const key = keyOf(owner, slot);
    this.journal.push({ key, before: this.values.get(key) });
    this.values.set(key, value);
  }

  mark(): number {
    return this.journal.length;
  }

  /** Reverts the writes of a failed call. */
  revertTo(mark: number): void {
    while (this.journal.length > mark) {
      const { key, before } = present(this.journal.pop(), 'the journal is longer than the mark');
      if (before === undefined) this.values.delete(key);
      else this.values.set(key, before);
    }
  }
}

/**
 * Returns a map key as a string. JavaScript engines randomize only the hashes of strings, so an attacker cannot cause
 * hash collisions of string keys.
 */
function keyOf(owner: Address, slot: bigint): string {
  return owner + slot.toString(16);
}
