import type { BlockFacts } from './block-facts.js';
import type { OpenOrders } from './open-orders.js';

/** A block whose movements are being computed, transaction by transaction. */
export interface OpenBlock {
  readonly facts: BlockFacts;
  readonly orders: OpenOrders;
}
