import { ExchangeTransactionContract, type TransactionResult } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { equalBytes } from '../../log/domain/bytes.js';
import { wrap64 } from '../../log/domain/int64.js';
import type { ContractHandler } from '../contract-handler.js';
import { refuse } from '../errors.js';
import type { State } from '../state/state.js';
import {
  changedPool,
  exchangedAmount,
  giveToken,
  isTokenName,
  putExchange,
  requireBalance,
  requireExchange,
  requireOpen,
  requireTrader,
  sidesOf,
  takeToken,
} from './exchange-pool.js';

/** Sells one token of a pool for the other. Reference: ExchangeTransactionActuator. */
export const exchangeTransaction: ContractHandler<ExchangeTransactionContract> = {
  type: 44,
  message: ExchangeTransactionContract,
  owner: ({ ownerAddress }) => ownerAddress,
  fee: () => 0n,
  validate,
  execute,
};

function validate(contract: ExchangeTransactionContract, state: State): void {
  const { ownerAddress, exchangeId, tokenId, quant, expected } = contract;
  const account = requireTrader(state, ownerAddress, 0n, 'transaction');
  const exchange = requireExchange(state, exchangeId);
  if (!isTokenName(state, tokenId)) refuse('token id is not a valid number');
  if (!equalBytes(tokenId, exchange.firstTokenId) && !equalBytes(tokenId, exchange.secondTokenId)) {
    refuse('token is not in exchange');
  }
  if (quant <= 0n) refuse('token quant must greater than zero');
  if (expected <= 0n) refuse('token expected must greater than zero');
  requireOpen(exchange);
  const { balance, otherBalance } = sidesOf(exchange, tokenId);
  const limit = state.properties.get('EXCHANGE_BALANCE_LIMIT');
  if (wrap64(balance + quant) > limit) refuse(`token balance must less than ${limit}`);
  requireBalance(state, account, { token: tokenId, amount: quant, missing: 'token balance is not enough' });
  if (exchangedAmount(balance, otherBalance, quant) < expected) {
    refuse('token required must greater than expected');
  }
}

function execute(contract: ExchangeTransactionContract, state: State, result: TransactionResult): void {
  const { ownerAddress, exchangeId, tokenId, quant } = contract;
  const owner = toAddress(ownerAddress);
  const exchange = requireExchange(state, exchangeId);
  const sides = sidesOf(exchange, tokenId);
  const received = exchangedAmount(sides.balance, sides.otherBalance, quant);
  const account = state.accountToWrite(owner)!;
  takeToken(state, owner, account, tokenId, quant);
  giveToken(state, owner, account, sides.otherToken, received);
  state.saveAccount(owner, account);
  putExchange(state, changedPool(exchange, sides, quant, -received));
  result.exchangeReceivedAmount = received;
}
