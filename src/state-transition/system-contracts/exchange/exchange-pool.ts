import type { Account, Exchange } from '../../../codec/generated/messages.js';
import { toLong } from '../../../java-compat/double.js';
import { javaDigits } from '../../../java-compat/double-text.js';
import { strictPow } from '../../../java-compat/strict-math.js';
import { type Address, isAddress, toAddress } from '../../../primitives/address.js';
import { equalBytes, fromInt64, toHex, utf8 } from '../../../primitives/bytes.js';
import { ArithmeticError, addExact, wrap64 } from '../../../primitives/int64.js';
import { isNamedTokens } from '../../balances/tokens.js';
import { refuse } from '../../errors.js';
import { chainPow } from '../../state/chain-pow.js';
import type { Properties } from '../../state/properties.js';
import type { State } from '../../state/state.js';
import { addAsset, hasAssetAmount, namedAssetId, reduceAsset } from '../assets/asset-balance.js';
import { isNumberText } from '../byte-rules.js';

/** Token id of TRX in exchanges and in the market. Reference: TRX_SYMBOL_BYTES. */
export const TRX_TOKEN_ID = '_';
const TRX = utf8(TRX_TOKEN_ID);
/** Supply of the virtual token that connects the two sides of a trade. Reference: ExchangeCapsule.transaction. */
const SUPPLY = 1_000_000_000_000_000_000n;

export function isTrx(token: Uint8Array): boolean {
  return equalBytes(token, TRX);
}

/**
 * The two sides of a pool. `balance` belongs to the token that the contract names. Fields that start with `other`
 * belong to the opposite token.
 */
export interface PoolSides {
  readonly balance: bigint;
  readonly otherToken: Uint8Array;
  readonly otherBalance: bigint;
  readonly isFirst: boolean;
}

/**
 * Returns the amount that a pool pays for `quant` of the sold token, by the rule in force.
 * @throws {ArithmeticError} the hardened rules are in force, and an amount exceeds 64 bits
 */
export function exchangedAmount({ properties }: State, { balance, otherBalance }: PoolSides, quant: bigint): bigint {
  return isHardened(properties)
    ? hardenedAmount(balance, otherBalance, quant)
    : amountInDoubles(properties, balance, otherBalance, quant);
}

/** Computes the paid amount in doubles, in java-tron's order of operations. Reference: ExchangeProcessor. */
function amountInDoubles(properties: Properties, sellBalance: bigint, buyBalance: bigint, quant: bigint): bigint {
  const newBalance = wrap64(sellBalance + quant);
  const issued = -Number(SUPPLY) * (1 - chainPow(properties, 1 + Number(quant) / Number(newBalance), 0.0005));
  const relay = toLong(issued);
  return toLong(Number(buyBalance) * (chainPow(properties, 1 + Number(relay) / Number(SUPPLY), 2000) - 1));
}

/**
 * Computes the paid amount with 18 decimals (proposal 98). Only the two powers are computed as doubles. The digits that
 * Java prints for these doubles are then used as decimals. Reference: SafeExchangeProcessor.
 * @throws {ArithmeticError} a sum or an amount exceeds 64 bits
 */
export function hardenedAmount(sellBalance: bigint, buyBalance: bigint, quant: bigint): bigint {
  const newBalance = addExact(sellBalance, quant);
  const share = (2n * quant * SUPPLY + newBalance) / (2n * newBalance);
  const relay = growth(SUPPLY, strictPow(onePlus(share), 0.0005));
  const amount = growth(buyBalance, strictPow(onePlus(relay), 2000));
  if (wrap64(amount) !== amount) throw new ArithmeticError('Overflow');
  return amount;
}

/** Returns the double nearest to 1 + parts × 10^-18. */
function onePlus(parts: bigint): number {
  const decimal = SUPPLY + parts;
  return Number(`${decimal / SUPPLY}.${(decimal % SUPPLY).toString().padStart(18, '0')}`);
}

/** Returns amount × (factor − 1), rounded towards zero. */
function growth(amount: bigint, factor: number): bigint {
  const { digits, exponent } = javaDigits(factor);
  const unit = 10n ** BigInt(Math.max(0, -exponent));
  const scaled = digits * 10n ** BigInt(Math.max(0, exponent));
  return (amount * (scaled - unit)) / unit;
}

/** Returns true if the hardened pool rules are in force (proposal 98). */
export function isHardened(properties: Properties): boolean {
  return properties.isOn('ALLOW_HARDEN_EXCHANGE_CALCULATION');
}

/**
 * Adds two 64-bit numbers. An overflow wraps, or is an error under the hardened rules. Reference:
 * AbstractExchangeActuator.
 * @throws {ArithmeticError} the hardened rules are in force, and the sum exceeds 64 bits
 */
export function poolSum({ properties }: State, a: bigint, b: bigint): bigint {
  return isHardened(properties) ? addExact(a, b) : wrap64(a + b);
}

/** Returns a pool. Reference: Commons.getExchangeStoreFinal. @throws {ContractValidateError} the pool does not exist */
export function requireExchange(state: State, id: bigint): Exchange {
  const rows = isNamedTokens(state) ? state.exchanges : state.exchangesV2;
  return rows.get(exchangeKey(id)) ?? refuse(`Exchange[${id}] not exists`);
}

export function exchangeKey(id: bigint): string {
  return toHex(fromInt64(id));
}

/**
 * Stores a pool. If assets are identified by name, also stores a copy of the pool with the ids of the assets.
 * Reference: Commons.putExchangeCapsule.
 */
export function putExchange(state: State, exchange: Exchange): void {
  const key = exchangeKey(exchange.exchangeId);
  if (!isNamedTokens(state)) {
    state.exchangesV2.put(key, exchange);
    return;
  }
  state.exchanges.put(key, exchange);
  const byId = exchange.clone();
  byId.firstTokenId = tokenById(state, exchange.firstTokenId);
  byId.secondTokenId = tokenById(state, exchange.secondTokenId);
  state.exchangesV2.put(key, byId);
}

/**
 * Returns the sides of a pool for a token. The first token of the pool selects the first side. Any other token selects
 * the second side.
 */
export function sidesOf(exchange: Exchange, token: Uint8Array): PoolSides {
  const { firstTokenId, firstTokenBalance, secondTokenId, secondTokenBalance } = exchange;
  return equalBytes(token, firstTokenId)
    ? { balance: firstTokenBalance, otherToken: secondTokenId, otherBalance: secondTokenBalance, isFirst: true }
    : { balance: secondTokenBalance, otherToken: firstTokenId, otherBalance: firstTokenBalance, isFirst: false };
}

/**
 * Returns a copy of the pool with both sides changed.
 * @throws {ArithmeticError} the hardened rules are in force, and a side exceeds 64 bits
 */
export function changedPool(
  state: State,
  exchange: Exchange,
  sides: PoolSides,
  { own, other }: { own: bigint; other: bigint },
): Exchange {
  const changed = exchange.clone();
  const balance = poolSum(state, sides.balance, own);
  const otherBalance = poolSum(state, sides.otherBalance, other);
  changed.firstTokenBalance = sides.isFirst ? balance : otherBalance;
  changed.secondTokenBalance = sides.isFirst ? otherBalance : balance;
  return changed;
}

/**
 * Returns the owner's account.
 * @throws {ContractValidateError} the address is invalid, the account does not exist, or it cannot pay the fee
 */
export function requireTrader(state: State, ownerAddress: Uint8Array, fee: bigint, purpose: string): Account {
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid address');
  const owner = toAddress(ownerAddress);
  const account = state.account(owner) ?? refuse(`account[${owner}] not exists`);
  if (account.balance < fee) refuse(`No enough balance for exchange ${purpose} fee!`);
  return account;
}

/**
 * Returns true if the name of an exchange's token is valid. Before `ALLOW_SAME_TOKEN_NAME`, every name is valid.
 * Afterwards, only TRX and ids in digits are valid.
 */
export function isTokenName(state: State, token: Uint8Array): boolean {
  return isNamedTokens(state) || isTrx(token) || isNumberText(token);
}

/** Rejects a pool with an empty side. @throws {ContractValidateError} a side is empty */
export function requireOpen({ firstTokenBalance, secondTokenBalance }: Exchange): void {
  if (firstTokenBalance !== 0n && secondTokenBalance !== 0n) return;
  refuse('Token balance in exchange is equal with 0,the exchange has been closed');
}

/** Rejects an account with less than an amount of a token. @throws {ContractValidateError} the balance is too small */
export function requireBalance(
  state: State,
  account: Account,
  { token, amount, fee = 0n, missing }: { token: Uint8Array; amount: bigint; fee?: bigint; missing: string },
): void {
  if (isTrx(token)) {
    if (account.balance < poolSum(state, amount, fee)) refuse('balance is not enough');
  } else if (!hasAssetAmount(state, account, token, amount)) refuse(missing);
}

/**
 * Subtracts a token amount from an account. If a TRC10 amount exceeds the balance, subtracts nothing.
 * @throws {ArithmeticError} the hardened rules are in force, and a TRX balance would exceed 64 bits
 */
export function debitToken(state: State, owner: Address, account: Account, token: Uint8Array, amount: bigint): void {
  if (isTrx(token)) account.balance = poolSum(state, account.balance, -amount);
  else reduceAsset(state, owner, account, token, amount);
}

/**
 * Adds a token amount to an account.
 * @throws {ArithmeticError} the balance would exceed 64 bits; without the hardened rules, a TRX balance wraps instead
 */
export function creditToken(state: State, owner: Address, account: Account, token: Uint8Array, amount: bigint): void {
  if (isTrx(token)) account.balance = poolSum(state, account.balance, amount);
  else addAsset(state, owner, account, token, amount);
}

function tokenById(state: State, token: Uint8Array): Uint8Array {
  return isTrx(token) ? token : utf8(namedAssetId(state, token));
}
