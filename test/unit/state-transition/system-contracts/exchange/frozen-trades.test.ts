import t from 'tap';
import { ContractValidateError } from '../../../../../src/state-transition/errors.js';
import {
  isFrozenTrade,
  refuseTrade,
} from '../../../../../src/state-transition/system-contracts/exchange/frozen-trades.js';
import type { DecodedTransaction } from '../../../../../src/state-transition/transaction.js';
import { stateWith } from '../../../../support/vm/state-with.js';

t.test('rejects trades with pools until proposal 98, and again after it is reverted', async (t) => {
  const trade = { contractType: 44 } as DecodedTransaction;
  t.ok(isFrozenTrade(stateWith(), trade));
  t.notOk(isFrozenTrade(stateWith({ ALLOW_HARDEN_EXCHANGE_CALCULATION: 1n }), trade));
  t.ok(isFrozenTrade(stateWith({ ALLOW_HARDEN_EXCHANGE_CALCULATION: 0n }), trade));
  for (const contractType of [41, 42, 43, 1]) t.notOk(isFrozenTrade(stateWith(), { ...trade, contractType }));
  t.throws(refuseTrade, new ContractValidateError('ExchangeTransactionContract is rejected'));
});
