import t from 'tap';
import {
  ChainError,
  ContractExeError,
  ContractValidateError,
  ResultDiffersError,
  refuse,
  unchecked,
} from '../../../src/state-transition/errors.js';

t.test("keeps java-tron's exception class, its text, and whether the exception is checked", async (t) => {
  const rows: readonly (readonly [error: ChainError, exception: string, checked: boolean, text: string | null])[] = [
    [new ContractValidateError('a'), 'ContractValidateException', true, 'a'],
    [new ContractExeError(null), 'ContractExeException', true, null],
    [unchecked('NullPointerException'), 'NullPointerException', false, null],
    [new ResultDiffersError('a', { idHex: 'ab', actual: 2 }), 'ReceiptCheckErrException', true, 'a'],
  ];
  for (const [error, exception, checked, text] of rows) {
    t.same([error.exception, error.code, error.checked, error.text], [exception, exception, checked, text]);
    t.ok(error instanceof ChainError);
  }
  t.throws(() => refuse('no'), ContractValidateError);
});
