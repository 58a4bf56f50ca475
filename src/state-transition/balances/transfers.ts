import { type Address, addressBytes, isAddress } from '../../primitives/address.js';
import { toHex, utf8 } from '../../primitives/bytes.js';
import { refuse } from '../errors.js';
import { failure, javaFailure } from '../vm-error.js';
import type { VmAccounts } from './accounts.js';
import { isNamedTokens, setTokenBalance, tokenBalance, tokenBalances } from './tokens.js';

/**
 * Validates a transfer of SUN. Reference: VMUtils.validateForSmartContract.
 * @throws {ContractValidateError} the transfer is invalid
 */
export function validateTrxMove(accounts: VmAccounts, from: Address, to: Address, amount: bigint): void {
  const prefix = accounts.state.rules.addressPrefix;
  if (!isAddress(addressBytes(from), prefix)) refuse('Invalid ownerAddress!');
  if (!isAddress(addressBytes(to), prefix)) refuse('Invalid toAddress!');
  if (to === from) refuse('Cannot transfer TRX to yourself.');
  const owner = accounts.get(from);
  if (owner === undefined) refuse('Validate InternalTransfer error, no OwnerAccount.');
  const receiver = accounts.get(to);
  if (receiver === undefined) {
    refuse('Validate InternalTransfer error, no ToAccount. And not allowed to create an account in a smartContract.');
  }
  if (amount < 0n) refuse('Amount must be greater than or equals 0.');
  if (owner.balance < amount) refuse('Validate InternalTransfer error, balance is not sufficient.');
  if (BigInt.asIntN(64, receiver.balance + amount) !== receiver.balance + amount) refuse('long overflow');
}

/**
 * Transfers SUN. An amount of 0 is not validated. Reference: MUtil.transfer.
 * @throws {ContractValidateError} the transfer is invalid
 */
export function moveTrx(accounts: VmAccounts, from: Address, to: Address, amount: bigint, depth: number): void {
  if (amount === 0n) return;
  validateTrxMove(accounts, from, to, amount);
  accounts.addBalance(to, amount, depth);
  accounts.addBalance(from, -amount, depth);
}

/**
 * Validates a TRC10 transfer. Reference: VMUtils.validateForSmartContract.
 * @throws {ContractValidateError} the transfer is invalid
 */
export function validateTokenMove(accounts: VmAccounts, from: Address, to: Address, id: string, amount: bigint): void {
  const { state } = accounts;
  const prefix = state.rules.addressPrefix;
  if (!isAddress(addressBytes(from), prefix)) refuse('Invalid ownerAddress');
  if (!isAddress(addressBytes(to), prefix)) refuse('Invalid toAddress');
  if (amount <= 0n) refuse('Amount must greater than 0.');
  if (from === to) refuse('Cannot transfer asset to yourself.');
  const owner = accounts.get(from);
  if (owner === undefined) refuse('No owner account!');
  const assets = isNamedTokens(state) ? state.assets : state.assetsV2;
  if (!assets.has(toHex(utf8(id)))) refuse('No asset !');
  const balance = isNamedTokens(state) ? (owner.asset.get(id) ?? 0n) : tokenBalance(state, from, owner, id);
  if (balance <= 0n) refuse('assetBalance must greater than 0.');
  if (amount > balance) refuse('assetBalance is not sufficient.');
  const receiver = accounts.get(to);
  if (receiver === undefined) {
    refuse('Validate InternalTransfer error, no ToAccount. And not allowed to create account in smart contract.');
  }
  const current = isNamedTokens(state) ? (receiver.asset.get(id) ?? 0n) : tokenBalance(state, to, receiver, id);
  if (BigInt.asIntN(64, current + amount) !== current + amount) refuse('long overflow');
}

/**
 * Transfers a TRC10 amount that `validateTokenMove` accepted. Reference: RepositoryImpl.addTokenBalance.
 * @throws {VmError} ArithmeticException: a balance would exceed 64 bits
 */
export function moveToken(
  accounts: VmAccounts,
  from: Address,
  to: Address,
  id: string,
  amount: bigint,
  depth: number,
): void {
  addToken(accounts, from, id, -amount, depth);
  addToken(accounts, to, id, amount, depth);
}

function addToken(accounts: VmAccounts, address: Address, id: string, amount: bigint, depth: number): void {
  const { state } = accounts;
  const account = accounts.write(address) ?? accounts.create(address, depth, { type: 0 });
  if (!isNamedTokens(state)) {
    const balance = tokenBalance(state, address, account, id) + amount;
    if (BigInt.asIntN(64, balance) !== balance) throw javaFailure('ArithmeticException', 'long overflow');
    setTokenBalance(state, address, account, id, balance);
    return;
  }
  const balance = (account.asset.get(id) ?? 0n) + amount;
  if (BigInt.asIntN(64, balance) !== balance) throw javaFailure('ArithmeticException', 'long overflow');
  account.asset.set(id, balance);
  setTokenBalance(state, address, account, state.assets.existing(toHex(utf8(id))).id, balance);
}

/**
 * Transfers all TRC10 balances to an existing account. Reference: MUtil.transferAllToken.
 * @throws {VmError} the receiver does not exist
 */
export function moveAllTokens(accounts: VmAccounts, from: Address, to: Address): void {
  const { state } = accounts;
  const owner = accounts.writeExisting(from);
  const receiver = accounts.write(to);
  if (receiver === undefined) throw failure(null);
  for (const [id, amount] of tokenBalances(state, from, owner)) {
    const sum = BigInt.asIntN(64, tokenBalance(state, to, receiver, id) + amount);
    setTokenBalance(state, to, receiver, id, sum);
    setTokenBalance(state, from, owner, id, 0n);
  }
}
