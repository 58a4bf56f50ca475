import type { ExchangeInjectContract, TransactionResult } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { floorDiv, longValueExact, mulExact } from '../../../primitives/int64.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import {
  changedPool,
  debitToken,
  isTokenName,
  poolSum,
  putExchange,
  requireBalance,
  requireExchange,
  requireOpen,
  requireTrader,
  sidesOf,
} from './exchange-pool.js';

/** Adds tokens to both sides of the owner's pool in the ratio of the pool. Reference: ExchangeInjectActuator. */
export const exchangeInject: ContractHandler<ExchangeInjectContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress, exchangeId, tokenId, quant }: ExchangeInjectContract, state: State): void {
  const account = requireTrader(state, ownerAddress, 0n, 'inject');
  const exchange = requireExchange(state, exchangeId);
  if (!equalBytes(ownerAddress, exchange.creatorAddress)) {
    refuse(`account[${toAddress(ownerAddress)}] is not creator`);
  }
  if (!isTokenName(state, tokenId)) refuse('token id is not a valid number');
  if (!equalBytes(tokenId, exchange.firstTokenId) && !equalBytes(tokenId, exchange.secondTokenId)) {
    refuse('token id is not in exchange');
  }
  requireOpen(exchange);
  if (quant <= 0n) refuse('injected token quant must greater than zero');
  const sides = sidesOf(exchange, tokenId);
  const other = longValueExact((sides.otherBalance * quant) / sides.balance);
  if (other <= 0n) refuse('the calculated token quant  must be greater than 0');
  const limit = state.properties.get('EXCHANGE_BALANCE_LIMIT');
  const sums = [poolSum(state, sides.balance, quant), poolSum(state, sides.otherBalance, other)];
  if (sums.some((sum) => sum > limit)) {
    refuse(`token balance must less than ${limit}`);
  }
  requireBalance(state, account, { token: tokenId, amount: quant, missing: 'token balance is not enough' });
  const missing = 'another token balance is not enough';
  requireBalance(state, account, { token: sides.otherToken, amount: other, missing });
}

function execute(contract: ExchangeInjectContract, state: State, result: TransactionResult): void {
  const { ownerAddress, exchangeId, tokenId, quant } = contract;
  const owner = toAddress(ownerAddress);
  const exchange = requireExchange(state, exchangeId);
  const sides = sidesOf(exchange, tokenId);
  // This product must fit into 64 bits, as in java-tron. The validation does not check this limit.
  const other = floorDiv(mulExact(sides.otherBalance, quant), sides.balance);
  const account = state.existingAccountToWrite(owner);
  debitToken(state, owner, account, tokenId, quant);
  debitToken(state, owner, account, sides.otherToken, other);
  state.saveAccount(owner, account);
  putExchange(state, changedPool(state, exchange, sides, { own: quant, other }));
  result.exchangeInjectAnotherAmount = other;
}
