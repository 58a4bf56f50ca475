import { TransactionContractContractType as ContractType } from '../../../codec/generated/messages.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { DecodedTransaction } from '../../transaction.js';

/**
 * Returns true if the transaction is a trade with an exchange pool and the hardened formula is not in force yet
 * (proposal 98). Reference: Manager.isExchangeTransaction.
 */
export function isFrozenTrade({ properties }: State, { contractType }: DecodedTransaction): boolean {
  if (contractType !== ContractType.ExchangeTransactionContract) return false;
  return !properties.isOn('ALLOW_HARDEN_EXCHANGE_CALCULATION');
}

/** Rejects a trade with an exchange pool. @throws {ContractValidateError} always */
export function refuseTrade(): never {
  refuse('ExchangeTransactionContract is rejected');
}
