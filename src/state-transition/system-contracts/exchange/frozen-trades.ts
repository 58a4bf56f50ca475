import { TransactionContractContractType as ContractType } from '../../../codec/generated/messages.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { DecodedTransaction } from '../../transaction.js';

/**
 * A trade with an exchange pool, while trades wait for the hardened formula (98).
 * Reference: Manager.isExchangeTransaction.
 */
export function isFrozenTrade({ properties }: State, { contractType }: DecodedTransaction): boolean {
  if (contractType !== ContractType.ExchangeTransactionContract) return false;
  return !properties.isOn('ALLOW_HARDEN_EXCHANGE_CALCULATION');
}

/** @throws {ContractValidateError} */
export function refuseTrade(): never {
  refuse('ExchangeTransactionContract is rejected');
}
