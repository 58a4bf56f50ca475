import {
  type Account,
  MarketAccountOrder,
  MarketOrder,
  type MarketSellAssetContract,
  type TransactionResult,
} from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { equalBytes, toHex } from '../../../primitives/bytes.js';
import { addExact } from '../../../primitives/int64.js';
import { burn } from '../../balances/balances.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import { AccountCopy } from '../accounts/account-copy.js';
import { assetIssueRows, hasAssetAmount } from '../assets/asset-balance.js';
import { isNumberText } from '../byte-rules.js';
import type { ContractHandler } from '../contract-handler.js';
import { isTrx } from '../exchange/exchange-pool.js';
import { failWhenShort, refuseOverflow } from '../overflow.js';
import { addToBook } from './market-book.js';
import { orderIdOf } from './market-keys.js';
import { matchOrder } from './market-match.js';

/**
 * Sells one token for another. The part without a match is added to the order book. Reference: MarketSellAssetActuator.
 */
export const marketSellAsset: ContractHandler<MarketSellAssetContract> = {
  fee: (state) => state.properties.get('MARKET_SELL_FEE'),
  validate,
  execute,
};

/** Maximum number of open orders per account. Reference: MAX_ACTIVE_ORDER_NUM. */
const OPEN_ORDERS_MAX = 100n;

function validate(contract: MarketSellAssetContract, state: State): void {
  const { ownerAddress, sellTokenId, buyTokenId, sellTokenQuantity, buyTokenQuantity } = contract;
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid address');
  const account = state.account(toAddress(ownerAddress)) ?? refuse('Account does not exist!');
  if (!isTrx(sellTokenId) && !isNumberText(sellTokenId)) refuse('sellTokenId is not a valid number');
  if (!isTrx(buyTokenId) && !isNumberText(buyTokenId)) refuse('buyTokenId is not a valid number');
  if (equalBytes(sellTokenId, buyTokenId)) refuse('cannot exchange same tokens');
  if (sellTokenQuantity <= 0n || buyTokenQuantity <= 0n) refuse('token quantity must greater than zero');
  const limit = state.properties.get('MARKET_QUANTITY_LIMIT');
  if (sellTokenQuantity > limit || buyTokenQuantity > limit) refuse(`token quantity must less than ${limit}`);
  if ((state.marketAccounts.get(toAddress(ownerAddress))?.count ?? 0n) >= OPEN_ORDERS_MAX) {
    refuse(`Maximum number of orders exceeded，${OPEN_ORDERS_MAX}`);
  }
  refuseOverflow(() => validateBalance(contract, account, state));
}

function validateBalance(contract: MarketSellAssetContract, account: Account, state: State): void {
  const { sellTokenId, sellTokenQuantity, buyTokenId } = contract;
  const fee = state.properties.get('MARKET_SELL_FEE');
  const needed = isTrx(sellTokenId) ? addExact(sellTokenQuantity, fee) : fee;
  if (account.balance < needed) refuse('No enough balance !');
  if (!isTrx(sellTokenId)) {
    if (!assetIssueRows(state).has(toHex(sellTokenId))) refuse('No sellTokenId !');
    if (!hasAssetAmount(state, account, sellTokenId, sellTokenQuantity)) refuse('SellToken balance is not enough !');
  }
  if (!isTrx(buyTokenId) && !assetIssueRows(state).has(toHex(buyTokenId))) refuse('No buyTokenId !');
}

function execute(contract: MarketSellAssetContract, state: State, result: TransactionResult): void {
  const { sellTokenId, buyTokenId, sellTokenQuantity } = contract;
  const account = new AccountCopy(state, toAddress(contract.ownerAddress), [sellTokenId, buyTokenId]);
  const fee = state.properties.get('MARKET_SELL_FEE');
  account.balance -= fee;
  failWhenShort(() => burn(state, fee));
  account.debit(sellTokenId, sellTokenQuantity);
  const order = openOrder(contract, state);
  matchOrder(state, { order, account, result });
  if (order.sellTokenQuantityRemain !== 0n) addToBook(state, order);
  account.store();
  result.orderId = order.orderId;
}

/**
 * Stores a new order, and adds its id to the owner's list of orders. Reference:
 * MarketSellAssetActuator.createAndSaveOrder.
 */
function openOrder(contract: MarketSellAssetContract, state: State): MarketOrder {
  const { ownerAddress, sellTokenId, sellTokenQuantity, buyTokenId, buyTokenQuantity } = contract;
  const key = toAddress(ownerAddress);
  let account = state.marketAccounts.toWrite(key);
  if (account === undefined) {
    account = Object.assign(new MarketAccountOrder(), { ownerAddress });
    state.marketAccounts.put(key, account);
  }
  const order = Object.assign(new MarketOrder(), {
    orderId: orderIdOf(ownerAddress, sellTokenId, buyTokenId, account.totalCount),
    ownerAddress,
    createTime: state.properties.get('latest_block_header_timestamp'),
    ...{ sellTokenId, sellTokenQuantity, buyTokenId, buyTokenQuantity },
    sellTokenQuantityRemain: sellTokenQuantity,
  });
  account.orders.push(order.orderId);
  account.count += 1n;
  account.totalCount += 1n;
  state.marketOrders.put(toHex(order.orderId), order);
  return order;
}
