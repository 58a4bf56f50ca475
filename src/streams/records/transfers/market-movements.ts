import type {
  MarketCancelOrderContract,
  MarketSellAssetContract,
  TransactionInfo,
} from '../../../codec/generated/messages.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { tokenOfId } from './block-facts.js';
import type { TransactionMovements } from './movement.js';
import type { OpenBlock } from './open-block.js';
import type { OpenOrder } from './open-orders.js';

/** Adds the movements of a new order: the seller pays the amount of the order, and each match pays both parties. */
export function addOrder(
  { ownerAddress, sellTokenId, buyTokenId, sellTokenQuantity }: MarketSellAssetContract,
  { orderId, orderDetails }: TransactionInfo,
  movements: TransactionMovements,
  { orders }: OpenBlock,
): void {
  const [sold, bought] = [tokenOfId(sellTokenId), tokenOfId(buyTokenId)];
  movements.add('market', sold, ownerAddress, undefined, sellTokenQuantity);
  const taker = orders.get(orderId);
  for (const { makerOrderId, fillSellQuantity, fillBuyQuantity } of orderDetails) {
    movements.add('market', bought, undefined, ownerAddress, fillBuyQuantity);
    if (taker !== undefined) taker.remaining -= fillSellQuantity;
    const maker = orders.get(makerOrderId);
    if (maker === undefined) continue;
    maker.remaining -= fillBuyQuantity;
    // If both orders have the same owner, java-tron loses the payment to the older order, because the taker's copy of
    // the account overwrites it.
    if (!equalBytes(maker.order.ownerAddress, ownerAddress))
      movements.add('market', sold, undefined, maker.order.ownerAddress, fillSellQuantity);
  }
  for (const rest of orders.withRest()) {
    const isMaker = equalBytes(rest.order.sellTokenId, buyTokenId) && equalBytes(rest.order.buyTokenId, sellTokenId);
    if (rest === taker || isMaker) returnRemaining(rest, movements);
  }
  // java-tron may also lose the refund of an older order of the same account, because the taker's copy of the account
  // overwrites it.
  movements.mayMove('market', 'out', ownerAddress);
}

export function addCancellation(
  { orderId }: MarketCancelOrderContract,
  _receipt: TransactionInfo,
  movements: TransactionMovements,
  { orders }: OpenBlock,
): void {
  const cancelled = orders.get(orderId);
  if (cancelled !== undefined) returnRemaining(cancelled, movements);
}

function returnRemaining(opened: OpenOrder, movements: TransactionMovements): void {
  const { order, remaining } = opened;
  movements.add('market', tokenOfId(order.sellTokenId), undefined, order.ownerAddress, remaining);
  opened.remaining = 0n;
  opened.unreturned = 0n;
}
