import type { BlockFacts } from './block-facts.js';
import type { OpenOrders } from './open-orders.js';

/** A block whose transactions are processed in order. */
export interface OpenBlock {
  readonly facts: BlockFacts;
  readonly orders: OpenOrders;
}
