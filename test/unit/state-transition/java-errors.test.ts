import t from 'tap';
import { ProtobufError, WireTypeError } from '../../../src/codec/reader.js';
import { ArithmeticError } from '../../../src/primitives/int64.js';
import { ContractValidateError, unchecked } from '../../../src/state-transition/errors.js';
import { describeError, isValidateError, javaError } from '../../../src/state-transition/java-errors.js';
import { badJump } from '../../../src/state-transition/vm-error.js';

// Errors, with the text that java-tron prints for the exception: `class <name> : <text>`.
const rows: readonly (readonly [error: unknown, text: string | undefined])[] = [
  [new ContractValidateError('no'), 'class org.tron.core.exception.ContractValidateException : no'],
  [unchecked('NullPointerException'), 'class java.lang.NullPointerException : null'],
  [new ArithmeticError('long overflow'), 'class java.lang.ArithmeticException : long overflow'],
  [
    badJump(3),
    "class org.tron.core.vm.program.Program$BadJumpDestinationException : Operation with pc isn't 'JUMPDEST': PC[3];",
  ],
  [
    new WireTypeError(),
    'class com.google.protobuf.InvalidProtocolBufferException$InvalidWireTypeException : Protocol message tag had invalid wire type.',
  ],
  [new TypeError('a bug'), undefined],
];

t.test('names rule errors like java-tron, but not internal errors', async (t) => {
  for (const [error, text] of rows) t.equal(describeError(error), text);
  t.equal(javaError(new ProtobufError('bad'))?.javaClass, 'com.google.protobuf.InvalidProtocolBufferException');
});

t.test('detects rejections by contract rules', async (t) => {
  const isRefusal = (error: unknown) => {
    const found = javaError(error);
    return found !== undefined && isValidateError(found);
  };
  t.same([isRefusal(new ContractValidateError('no')), isRefusal(badJump(1))], [true, false]);
});
