import t from 'tap';
import {
  arithmeticOf,
  EXACT,
  hardenedShare,
  WRAPPING,
} from '../../../../src/state-transition/resources/long-arithmetic.js';
import { stateWith } from '../../../support/vm/state-with.js';

t.test('truncates a product to 64 bits before proposal 97, and throws after', async (t) => {
  t.equal(arithmeticOf(stateWith().properties), WRAPPING);
  t.equal(arithmeticOf(stateWith({ ALLOW_HARDEN_RESOURCE_CALCULATION: 1n }).properties), EXACT);
  t.equal(WRAPPING.product(2n ** 63n), -(2n ** 63n));
  t.equal(EXACT.product(2n ** 63n), 2n ** 63n);
  t.equal(EXACT.quotient(5n), 5n);
  t.throws(() => EXACT.quotient(2n ** 63n));
});

t.test('rounds a share towards zero and throws for a weight of 0', async (t) => {
  t.equal(hardenedShare(2n, 10n, 3n), 6n);
  t.equal(hardenedShare(2n ** 62n, 2n ** 62n, 2n ** 62n), 2n ** 62n, 'the product may exceed 64 bits');
  t.throws(() => hardenedShare(1n, 1n, 0n), { message: 'BigInteger divide by zero' });
});
