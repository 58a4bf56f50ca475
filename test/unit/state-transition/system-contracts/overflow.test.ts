import t from 'tap';
import { TransactionResult, TransferContract } from '../../../../src/codec/generated/messages.js';
import { ArithmeticError } from '../../../../src/primitives/int64.js';
import { BalanceInsufficientError } from '../../../../src/state-transition/balances/balances.js';
import { ChainError, withUncheckedArithmetic } from '../../../../src/state-transition/errors.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { transfer } from '../../../../src/state-transition/system-contracts/accounts/transfer.js';
import type { ContractHandler } from '../../../../src/state-transition/system-contracts/contract-handler.js';
import {
  failOnOverflow,
  failWhenShort,
  refuseOverflow,
  withExchangeArithmetic,
} from '../../../../src/state-transition/system-contracts/overflow.js';
import type { TransactionContext } from '../../../../src/state-transition/transaction.js';
import { stateWith } from '../../../support/vm/state-with.js';

const overflow = (): never => {
  throw new ArithmeticError('long overflow');
};
const short = (): never => {
  throw new BalanceInsufficientError('too little');
};
const bug = (): never => {
  throw new TypeError('a bug');
};

/** Returns the class and the text of the exception that the function throws. */
function outcome(run: () => void): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ChainError)
      return `${error.exception}: ${error.text} ${error.checked ? '' : '(unchecked)'}`.trim();
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return 'nothing';
}

t.test('each guard converts only its own errors to those of java-tron, and throws the others unchanged', async (t) => {
  t.equal(
    outcome(() => refuseOverflow(overflow)),
    'ContractValidateException: long overflow',
  );
  t.match(
    outcome(() => refuseOverflow(short)),
    'too little',
  );
  t.notMatch(
    outcome(() => refuseOverflow(short)),
    'ContractValidateException',
  );
  t.equal(
    outcome(() => failWhenShort(short)),
    'ContractExeException: too little',
  );
  t.notMatch(
    outcome(() => failWhenShort(overflow)),
    'ContractExeException',
  );
  t.equal(
    outcome(() => failOnOverflow(overflow)),
    'ContractExeException: long overflow',
  );
  t.equal(
    outcome(() => failOnOverflow(short)),
    'ContractExeException: too little',
  );
  for (const guard of [refuseOverflow, failWhenShort, failOnOverflow]) {
    t.equal(
      outcome(() => guard(bug)),
      'TypeError: a bug',
    );
    t.equal(
      guard(() => 5),
      5,
    );
  }
});

const overflowing: ContractHandler<TransferContract> = { ...transfer, validate: overflow, execute: overflow };

function outcomes(handler: ContractHandler<object>, release: typeof release472): string[] {
  const state = stateWith({}, release);
  const context = {} as TransactionContext;
  const contract = new TransferContract();
  return [
    outcome(() => withUncheckedArithmetic(() => handler.validate(contract, state, context))),
    outcome(() => withUncheckedArithmetic(() => handler.execute(contract, state, new TransactionResult(), context))),
  ];
}

t.test('reports pool overflows as checked errors since 4.8.2, and other overflows as unchecked', async (t) => {
  const wrapped = withExchangeArithmetic(overflowing as ContractHandler<object>);
  const uncheckedText = 'ArithmeticException: long overflow (unchecked)';
  t.same(outcomes(wrapped, release472), [uncheckedText, uncheckedText]);
  t.same(outcomes(wrapped, release482), [
    'ContractValidateException: long overflow',
    'ContractExeException: long overflow',
  ]);
  t.same(outcomes(overflowing as ContractHandler<object>, release482), [uncheckedText, uncheckedText]);
});
