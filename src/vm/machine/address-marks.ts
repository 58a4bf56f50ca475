import type { Address } from '../../primitives/address.js';

/**
 * Ordered set of addresses that a transaction created or destroyed. `revertTo` removes those that a failed call
 * added.
 */
export class AddressMarks {
  private readonly order: Address[] = [];
  private readonly known = new Set<Address>();

  add(address: Address): void {
    if (this.known.has(address)) return;
    this.known.add(address);
    this.order.push(address);
  }

  has(address: Address): boolean {
    return this.known.has(address);
  }

  all(): readonly Address[] {
    return this.order;
  }

  mark(): number {
    return this.order.length;
  }

  revertTo(mark: number): void {
    for (const address of this.order.splice(mark)) this.known.delete(address);
  }
}
