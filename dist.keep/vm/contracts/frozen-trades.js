import { TransactionContractContractType as ContractType } from '../../log/codec/generated/messages.js';
import { refuse } from '../errors.js';
/** A trade with an exchange pool, while trades wait for the hardened formula (98). Reference: Manager.isExchangeTransaction. */
export function isFrozenTrade({ properties }, { contractType }) {
    if (contractType !== ContractType.ExchangeTransactionContract)
        return false;
    return !properties.isOn('ALLOW_HARDEN_EXCHANGE_CALCULATION');
}
/** @throws {ContractValidateError} */
export function refuseTrade() {
    refuse('ExchangeTransactionContract is rejected');
}
//# sourceMappingURL=frozen-trades.js.map