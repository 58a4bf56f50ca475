import type {
  ExchangeCreateContract,
  ExchangeInjectContract,
  ExchangeTransactionContract,
  ExchangeWithdrawContract,
  TransactionInfo,
} from '../../../codec/generated/messages.js';
import type { TransactionMovements } from './movement.js';
import type { OpenBlock } from './open-block.js';

export function addPoolCreation(
  contract: ExchangeCreateContract,
  _receipt: TransactionInfo,
  movements: TransactionMovements,
  { facts }: OpenBlock,
): void {
  const { ownerAddress, firstTokenId, firstTokenBalance, secondTokenId, secondTokenBalance } = contract;
  movements.add('exchange', facts.token(firstTokenId), ownerAddress, undefined, firstTokenBalance);
  movements.add('exchange', facts.token(secondTokenId), ownerAddress, undefined, secondTokenBalance);
}

export function addPoolInjection(
  { ownerAddress, exchangeId, tokenId, quant }: ExchangeInjectContract,
  { exchangeInjectAnotherAmount }: TransactionInfo,
  movements: TransactionMovements,
  block: OpenBlock,
): void {
  const { token, other } = sidesOf(block, exchangeId, tokenId);
  movements.add('exchange', token, ownerAddress, undefined, quant);
  movements.add('exchange', other, ownerAddress, undefined, exchangeInjectAnotherAmount);
}

export function addPoolWithdrawal(
  { ownerAddress, exchangeId, tokenId, quant }: ExchangeWithdrawContract,
  { exchangeWithdrawAnotherAmount }: TransactionInfo,
  movements: TransactionMovements,
  block: OpenBlock,
): void {
  const { token, other } = sidesOf(block, exchangeId, tokenId);
  movements.add('exchange', token, undefined, ownerAddress, quant);
  movements.add('exchange', other, undefined, ownerAddress, exchangeWithdrawAnotherAmount);
}

export function addPoolTrade(
  { ownerAddress, exchangeId, tokenId, quant }: ExchangeTransactionContract,
  { exchangeReceivedAmount }: TransactionInfo,
  movements: TransactionMovements,
  block: OpenBlock,
): void {
  const { token, other } = sidesOf(block, exchangeId, tokenId);
  movements.add('exchange', token, ownerAddress, undefined, quant);
  movements.add('exchange', other, undefined, ownerAddress, exchangeReceivedAmount);
}

/** Returns the token that the transaction specifies, and the other token of the exchange pool. */
function sidesOf({ facts }: OpenBlock, exchangeId: bigint, tokenId: Uint8Array): { token: string; other: string } {
  const token = facts.token(tokenId);
  const [first, second] = facts.poolTokens(exchangeId);
  return { token, other: token === first ? second : first };
}
