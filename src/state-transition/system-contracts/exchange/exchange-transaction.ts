import type { Exchange, ExchangeTransactionContract, TransactionResult } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { ContractExeError, ContractValidateError, refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import {
  changedPool,
  creditToken,
  debitToken,
  exchangedAmount,
  isHardened,
  isTokenName,
  type PoolSides,
  poolSum,
  putExchange,
  requireBalance,
  requireExchange,
  requireOpen,
  requireTrader,
  sidesOf,
} from './exchange-pool.js';

/** Sells one token of a pool for the other. Reference: ExchangeTransactionActuator. */
export const exchangeTransaction: ContractHandler<ExchangeTransactionContract> = {
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
  const sides = sidesOf(exchange, tokenId);
  const limit = state.properties.get('EXCHANGE_BALANCE_LIMIT');
  if (poolSum(state, sides.balance, quant) > limit) refuse(`token balance must less than ${limit}`);
  requireBalance(state, account, { token: tokenId, amount: quant, missing: 'token balance is not enough' });
  const received = exchangedAmount(state, sides, quant);
  tradedPool(state, exchange, sides, quant, received);
  if (received < expected) {
    refuse('token required must greater than expected');
  }
}

function execute(contract: ExchangeTransactionContract, state: State, result: TransactionResult): void {
  const { ownerAddress, exchangeId, tokenId, quant } = contract;
  const owner = toAddress(ownerAddress);
  const exchange = requireExchange(state, exchangeId);
  const sides = sidesOf(exchange, tokenId);
  const received = exchangedAmount(state, sides, quant);
  const pool = failWhenRefused(() => tradedPool(state, exchange, sides, quant, received));
  const account = state.existingAccountToWrite(owner);
  debitToken(state, owner, account, tokenId, quant);
  creditToken(state, owner, account, sides.otherToken, received);
  state.saveAccount(owner, account);
  putExchange(state, pool);
  result.exchangeReceivedAmount = received;
}

/**
 * Returns the pool after the trade.
 * @throws {ContractValidateError | ArithmeticError} the hardened rules are in force, and a side is negative or exceeds
 * 64 bits
 */
function tradedPool(state: State, exchange: Exchange, sides: PoolSides, quant: bigint, received: bigint): Exchange {
  const pool = changedPool(state, exchange, sides, { own: quant, other: -received });
  const isNegative = pool.firstTokenBalance < 0n || pool.secondTokenBalance < 0n;
  if (isNegative && isHardened(state.properties)) refuse('Exchange balance must be >=0 after transaction');
  return pool;
}

function failWhenRefused<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ContractValidateError) throw new ContractExeError(error.text);
    throw error;
  }
}
