import t from 'tap';
import { RpcError } from '../../../../src/api/jsonrpc/rpc-error.js';
import { ControlError } from '../../../../src/api/network-control.js';
import { JavaError } from '../../../../src/java-compat/java-error.js';
import { receiveError, sendError } from '../../../../src/node/workers/sent-error.js';
import { TronError } from '../../../../src/primitives/errors.js';
import { ChainError, unchecked } from '../../../../src/state-transition/errors.js';

const errors = [
  new ChainError('ContractValidateException', null),
  unchecked('ArithmeticException', 'long overflow'),
  new JavaError('java.lang.NullPointerException'),
  new RpcError(3, 'REVERT opcode executed', '0x08c379a0'),
  new ControlError('no such snapshot'),
  new TronError('LOG_HOLE', 'the log ends at block 7'),
];

for (const error of errors) {
  t.test(`keeps class, message and members of ${error.constructor.name}, ${error.message}`, async (t) => {
    const received = receiveError(structuredClone(sendError(error)));
    t.equal(received.constructor, error.constructor);
    t.same({ ...received, message: received.message }, { ...error, message: error.message });
  });
}

t.test('forwards the text of an internal error', async (t) => {
  t.match(receiveError(sendError(new RangeError('too far'))), { name: 'Error', message: 'too far' });
  t.match(receiveError(sendError('a text')), { message: 'a text' });
});
