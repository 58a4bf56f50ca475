import type { MarketOrder } from '../../../codec/generated/messages.js';
import { toHex } from '../../../primitives/bytes.js';
import type { BlockFacts } from './block-facts.js';

/** State of a market order after those transactions of a block that were processed so far. */
export interface OpenOrder {
  readonly order: MarketOrder;
  /** Amount of the token for sale that is still offered. */
  remaining: bigint;
  /** Amount that is too small to buy anything, so that this block returns it to the owner. It is 0 after the return. */
  unreturned: bigint;
}

/** The market orders that a block changed. */
export class OpenOrders {
  private readonly facts: BlockFacts;
  private readonly orders = new Map<string, OpenOrder>();

  constructor(facts: BlockFacts) {
    this.facts = facts;
  }

  /** Returns the current state of an order; undefined if the block did not change the order. */
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

  /** Returns the orders whose complete remaining amount must now be returned to the owner. */
  withRest(): OpenOrder[] {
    return this.facts.orderIds().flatMap((id) => {
      const opened = this.get(id);
      return opened !== undefined && opened.unreturned > 0n && opened.unreturned === opened.remaining ? [opened] : [];
    });
  }
}
