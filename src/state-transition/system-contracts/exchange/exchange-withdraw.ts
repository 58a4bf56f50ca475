import type { ExchangeWithdrawContract, TransactionResult } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { ArithmeticError, longValueExact, wrap64 } from '../../../primitives/int64.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import {
  changedPool,
  creditToken,
  isHardened,
  isTokenName,
  type PoolSides,
  putExchange,
  requireExchange,
  requireOpen,
  requireTrader,
  sidesOf,
} from './exchange-pool.js';

/** Removes tokens from both sides of the owner's pool in the ratio of the pool. Reference: ExchangeWithdrawActuator. */
export const exchangeWithdraw: ContractHandler<ExchangeWithdrawContract> = {
  fee: () => 0n,
  validate,
  execute,
};

/**
 * Maximum part of the opposite token's amount that rounding may lose, as a fraction of this amount. The contract
 * names the amount of one token, and the ratio of the pool determines the amount of the opposite token.
 */
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
  validateRatio(state, sidesOf(exchange, tokenId), quant);
}

function validateRatio({ properties }: State, { balance, otherBalance }: PoolSides, quant: bigint): void {
  const other = (otherBalance * quant) / balance;
  if (wrap64(other) !== other) throw new ArithmeticError('Overflow');
  if (balance < quant || otherBalance < other) refuse('exchange balance is not enough');
  if (other <= 0n) refuse('withdraw another token quant must greater than zero');
  const product = otherBalance * quant;
  const isImprecise = isHardened(properties)
    ? quotientOf4Places(product, balance) - other * PLACES > other
    : withdrawRemainder(product, balance, other) / Number(other) > REMAINDER_MAX;
  if (isImprecise) refuse('Not precise enough');
}

/**
 * Scale of quotients with four decimals: the integer 10,000 represents 1. Rounding may lose at most 1/10000 of the
 * opposite token's amount (`REMAINDER_MAX`). On this scale, the limit is the amount itself.
 */
const PLACES = 10_000n;

/** Returns product / divisor in units of 1/10000, rounded half up. */
function quotientOf4Places(product: bigint, divisor: bigint): bigint {
  return (product * 2n * PLACES + divisor) / (divisor * 2n);
}

/**
 * Returns the part of `product / divisor` that is lost by rounding down to `whole`. The quotient is first rounded half
 * up to four decimals. Computed in doubles.
 */
export function withdrawRemainder(product: bigint, divisor: bigint, whole: bigint): number {
  const scaled = quotientOf4Places(product, divisor);
  const quotient = Number(`${scaled / PLACES}.${(scaled % PLACES).toString().padStart(4, '0')}`);
  return quotient - Number(whole);
}

function execute(contract: ExchangeWithdrawContract, state: State, result: TransactionResult): void {
  const { ownerAddress, exchangeId, tokenId, quant } = contract;
  const owner = toAddress(ownerAddress);
  const exchange = requireExchange(state, exchangeId);
  const sides = sidesOf(exchange, tokenId);
  const other = longValueExact((sides.otherBalance * quant) / sides.balance);
  const account = state.existingAccountToWrite(owner);
  creditToken(state, owner, account, tokenId, quant);
  creditToken(state, owner, account, sides.otherToken, other);
  state.saveAccount(owner, account);
  putExchange(state, changedPool(state, exchange, sides, { own: -quant, other: -other }));
  result.exchangeWithdrawAnotherAmount = other;
}
