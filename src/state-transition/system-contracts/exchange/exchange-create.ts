import { Exchange, type ExchangeCreateContract, type TransactionResult } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { burn } from '../../balances/balances.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { failWhenShort } from '../overflow.js';
import { debitToken, isTokenName, poolSum, putExchange, requireBalance, requireTrader } from './exchange-pool.js';

/** Creates an exchange pool of two tokens. Reference: ExchangeCreateActuator. */
export const exchangeCreate: ContractHandler<ExchangeCreateContract> = {
  fee: (state) => state.properties.get('EXCHANGE_CREATE_FEE'),
  validate,
  execute,
};

function validate(contract: ExchangeCreateContract, state: State): void {
  const { firstTokenId, firstTokenBalance, secondTokenId, secondTokenBalance } = contract;
  const fee = state.properties.get('EXCHANGE_CREATE_FEE');
  const account = requireTrader(state, contract.ownerAddress, fee, 'create');
  if (!isTokenName(state, firstTokenId)) refuse('first token id is not a valid number');
  if (!isTokenName(state, secondTokenId)) refuse('second token id is not a valid number');
  if (equalBytes(firstTokenId, secondTokenId)) refuse('cannot exchange same tokens');
  if (firstTokenBalance <= 0n || secondTokenBalance <= 0n) refuse('token balance must greater than zero');
  const limit = state.properties.get('EXCHANGE_BALANCE_LIMIT');
  if (firstTokenBalance > limit || secondTokenBalance > limit) refuse(`token balance must less than ${limit}`);
  const missing = (side: string): string => `${side} token balance is not enough`;
  requireBalance(state, account, { token: firstTokenId, amount: firstTokenBalance, fee, missing: missing('first') });
  requireBalance(state, account, { token: secondTokenId, amount: secondTokenBalance, fee, missing: missing('second') });
}

function execute(contract: ExchangeCreateContract, state: State, result: TransactionResult): void {
  const owner = toAddress(contract.ownerAddress);
  const fee = state.properties.get('EXCHANGE_CREATE_FEE');
  const account = state.existingAccountToWrite(owner);
  account.balance = poolSum(state, account.balance, -fee);
  debitToken(state, owner, account, contract.firstTokenId, contract.firstTokenBalance);
  debitToken(state, owner, account, contract.secondTokenId, contract.secondTokenBalance);
  const id = state.properties.get('LATEST_EXCHANGE_NUM') + 1n;
  putExchange(state, poolOf(contract, id, state.properties.get('latest_block_header_timestamp')));
  state.saveAccount(owner, account);
  state.properties.set('LATEST_EXCHANGE_NUM', id);
  failWhenShort(() => burn(state, fee));
  result.exchangeId = id;
}

function poolOf(contract: ExchangeCreateContract, exchangeId: bigint, createTime: bigint): Exchange {
  const { ownerAddress, firstTokenId, firstTokenBalance, secondTokenId, secondTokenBalance } = contract;
  const sides = { firstTokenId, firstTokenBalance, secondTokenId, secondTokenBalance };
  return Object.assign(new Exchange(), { exchangeId, creatorAddress: ownerAddress, createTime, ...sides });
}
