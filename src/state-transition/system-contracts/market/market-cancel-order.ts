import { type MarketCancelOrderContract, MarketOrderState } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { equalBytes, toHex } from '../../../primitives/bytes.js';
import { burn } from '../../balances/balances.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import { AccountCopy } from '../accounts/account-copy.js';
import type { ContractHandler } from '../contract-handler.js';
import { failWhenShort } from '../overflow.js';
import { closeOrder, dropPrice, orderToWrite, priceKeyOf, returnRemainder, unlink } from './market-book.js';

/** Cancels an open order. Reference: MarketCancelOrderActuator. */
export const marketCancelOrder: ContractHandler<MarketCancelOrderContract> = {
  fee: (state) => state.properties.get('MARKET_CANCEL_FEE'),
  validate,
  execute,
};

function validate({ ownerAddress, orderId }: MarketCancelOrderContract, state: State): void {
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid address');
  const account = state.account(toAddress(ownerAddress)) ?? refuse('Account does not exist!');
  const order = state.marketOrders.get(toHex(orderId)) ?? refuse('orderId not exists');
  if (order.state !== MarketOrderState.ACTIVE) refuse('Order is not active!');
  if (!equalBytes(order.ownerAddress, ownerAddress)) refuse('Order does not belong to the account!');
  if (account.balance < state.properties.get('MARKET_CANCEL_FEE')) refuse('No enough balance !');
}

function execute({ ownerAddress, orderId }: MarketCancelOrderContract, state: State): void {
  const order = orderToWrite(state, orderId);
  const account = new AccountCopy(state, toAddress(ownerAddress), [order.sellTokenId]);
  const fee = state.properties.get('MARKET_CANCEL_FEE');
  account.balance -= fee;
  failWhenShort(() => burn(state, fee));
  returnRemainder(order, account);
  closeOrder(state, order, MarketOrderState.CANCELED);
  account.store();
  const key = priceKeyOf(order);
  const list = state.marketPriceToOrders.existingToWrite(key);
  unlink(state, list, order);
  if (list.head.length === 0) dropPrice(state, order, key);
}
