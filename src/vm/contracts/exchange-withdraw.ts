import { ExchangeWithdrawContract, type TransactionResult } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { equalBytes } from '../../log/domain/bytes.js';
import { ArithmeticError, wrap64 } from '../../log/domain/int64.js';
import type { ContractHandler } from '../contract-handler.js';
import { refuse } from '../errors.js';
import type { State } from '../state/state.js';
import {
  changedPool,
  giveToken,
  isTokenName,
  type PoolSides,
  putExchange,
  requireExchange,
  requireOpen,
  requireTrader,
  sidesOf,
} from './exchange-pool.js';
import { longValueExact } from './java-arithmetic.js';

/** Takes from both sides of one's own pool at its present ratio. Reference: ExchangeWithdrawActuator. */
export const exchangeWithdraw: ContractHandler<ExchangeWithdrawContract> = {
  type: 43,
  message: ExchangeWithdrawContract,
  owner: ({ ownerAddress }) => ownerAddress,
  fee: () => 0n,
  validate,
  execute,
};

/** Share of the other side that may be lost to rounding. */
const REMAINDER_MAX = 0.0001;

function validate({ ownerAddress, exchangeId, tokenId, quant }: ExchangeWithdrawContract, state: State): void {
  requireTrader(state, ownerAddress, 0n, 'withdraw');
  const exchange = requireExchange(state, exchangeId);
  if (!equalBytes(ownerAddress, exchange.creatorAddress)) {
    refuse(`account[${toAddress(ownerAddress)}] is not creator`);
  }
  if (!isTokenName(state, tokenId)) refuse('token id is not a valid number');
  if (!equalBytes(tokenId, exchange.firstTokenId) && !equalBytes(tokenId, exchange.secondTokenId)) {
    refuse('token is not in exchange');
  }
  if (quant <= 0n) refuse('withdraw token quant must greater than zero');
  requireOpen(exchange);
  validateRatio(sidesOf(exchange, tokenId), quant);
}

function validateRatio({ balance, otherBalance }: PoolSides, quant: bigint): void {
  const other = (otherBalance * quant) / balance;
  if (wrap64(other) !== other) throw new ArithmeticError('Overflow');
  if (balance < quant || otherBalance < other) refuse('exchange balance is not enough');
  if (other <= 0n) refuse('withdraw another token quant must greater than zero');
  if (withdrawRemainder(otherBalance * quant, balance, other) / Number(other) > REMAINDER_MAX) {
    refuse('Not precise enough');
  }
}

/** What rounding down leaves of `product / divisor`: the quotient at four decimals, half up, as a double, less its whole part. */
export function withdrawRemainder(product: bigint, divisor: bigint, whole: bigint): number {
  const scaled = (product * 20_000n + divisor) / (divisor * 2n);
  const quotient = Number(`${scaled / 10_000n}.${(scaled % 10_000n).toString().padStart(4, '0')}`);
  return quotient - Number(whole);
}

function execute(contract: ExchangeWithdrawContract, state: State, result: TransactionResult): void {
  const { ownerAddress, exchangeId, tokenId, quant } = contract;
  const owner = toAddress(ownerAddress);
  const exchange = requireExchange(state, exchangeId);
  const sides = sidesOf(exchange, tokenId);
  const other = longValueExact((sides.otherBalance * quant) / sides.balance);
  const account = state.accountToWrite(owner)!;
  giveToken(state, owner, account, tokenId, quant);
  giveToken(state, owner, account, sides.otherToken, other);
  state.saveAccount(owner, account);
  putExchange(state, changedPool(exchange, sides, -quant, -other));
  result.exchangeWithdrawAnotherAmount = other;
}
