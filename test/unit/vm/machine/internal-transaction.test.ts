import t from 'tap';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { concatBytes, fromInt64, utf8 } from '../../../../src/primitives/bytes.js';
import { callDataOf, internalCall, internalTransactionOf } from '../../../../src/vm/machine/internal-transaction.js';
import { addressOf, bytesOf } from '../../../support/vm/state-with.js';

const fields = {
  parentHash: Uint8Array.of(9),
  sender: addressOf(1),
  receiver: addressOf(2),
  value: 5n,
  data: Uint8Array.of(1, 2),
  note: 'call',
  nonce: 3n,
  tokens: [['1000001', 7n]] as const,
  depth: 2,
};

// Reference: the hash of InternalTransaction. It is over the parent, the receiver (none for a creation), the data, the
// value and the nonce.
t.test('derives the id of an internal transaction from its content', async (t) => {
  const tail = [fields.data, fromInt64(5n), fromInt64(3n)];
  t.same(internalCall(fields).hash, keccak256(concatBytes(fields.parentHash, bytesOf(2), ...tail)));
  const creation = keccak256(concatBytes(fields.parentHash, ...tail));
  t.same(internalCall({ ...fields, note: 'create' }).hash, creation);
  t.same(internalCall({ ...fields, receiver: undefined }).hash, creation);
});

t.test('lists SUN before tokens in receipts and stores call data separately', async (t) => {
  const call = Object.assign(internalCall(fields), { isRejected: true, extra: 'x' });
  const message = internalTransactionOf(call);
  t.same(
    message.callValueInfo.map(({ tokenId, callValue }) => [tokenId, callValue]),
    [
      ['', 5n],
      ['1000001', 7n],
    ],
  );
  t.same([message.callerAddress, message.transferToAddress], [bytesOf(1), bytesOf(2)]);
  t.same([message.note, message.rejected, message.extra], [utf8('call'), true, 'x']);
  t.same(callDataOf(message), fields.data);
  t.equal(callDataOf(internalTransactionOf(internalCall({ ...fields, data: new Uint8Array(0) }))).length, 0);
});
