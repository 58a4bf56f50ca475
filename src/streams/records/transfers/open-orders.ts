import type { MarketOrder } from '../../../codec/generated/messages.js';
import { toHex } from '../../../primitives/bytes.js';
import type { BlockFacts } from './block-facts.js';

/** A market order after those transactions of a block that were already read. */
export interface OpenOrder {
  readonly order: MarketOrder;
  /** Amount that is still offered. */
  remaining: bigint;
  /** Amount that the block returns to the owner, because it is too small to buy anything; 0 after the return. */
  unreturned: bigint;
}

/** The market orders that a block changed. */
export class OpenOrders {
  private readonly facts: BlockFacts;
  private readonly orders = new Map<string, OpenOrder>();

  constructor(facts: BlockFacts) {
    this.facts = facts;
  }

  /** Returns an order that the block changed. */
  get(id: Uint8Array): OpenOrder | undefined {
    const key = toHex(id);
    const known = this.orders.get(key);
    if (known !== undefined) return known;
    const { before, after } = this.facts.order(id) ?? {};
    const order = after ?? before;
    if (order === undefined) return undefined;
    const remaining = before?.sellTokenQuantityRemain ?? order.sellTokenQuantity;
    const unreturned = order.sellTokenQuantityReturn - (before?.sellTokenQuantityReturn ?? 0n);
    const opened = { order, remaining, unreturned };
    this.orders.set(key, opened);
    return opened;
  }

  /** Returns the orders whose offered amount is now exactly the amount that the block returns to the owner. */
  withRest(): OpenOrder[] {
    return this.facts.orderIds().flatMap((id) => {
      const opened = this.get(id);
      return opened !== undefined && opened.unreturned > 0n && opened.unreturned === opened.remaining ? [opened] : [];
    });
  }
}
