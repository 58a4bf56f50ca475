import t from 'tap';
import {
  Any,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransactionResult,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import {
  decodeParameter,
  decodeTransaction,
  decodeWritten,
  fieldSize,
  typeName,
  withResults,
} from '../../../../src/state-transition/transactions/decode-transaction.js';
import { addressOf, bytesOf } from '../../../support/vm/state-with.js';

const URL = 'type.googleapis.com/protocol.TransferContract';
const value = TransferContract.encode(Object.assign(new TransferContract(), { ownerAddress: bytesOf(1), amount: 5n }));
const contract = (type: number, typeUrl: string, bytes = value) =>
  Object.assign(new TransactionContract(), { type, parameter: Object.assign(new Any(), { typeUrl, value: bytes }) });

t.test('decodes a transaction once', async (t) => {
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract(1, URL)] });
  const ret = [Object.assign(new TransactionResult(), { contractRet: 1 })];
  const message = Object.assign(new Transaction(), { rawData, ret, signature: [new Uint8Array(65)] });
  const decoded = decodeTransaction(message);
  t.same([decoded.contractType, decoded.owner], [1, addressOf(1)]);
  t.same(decoded.id, sha256(TransactionRaw.encode(rawData)));
  const bytes = Transaction.encode(message);
  t.same(decoded.hash, sha256(bytes));
  t.same(decoded.bytes, bytes);
  t.same([decoded.size, decoded.resultSize, decoded.sizeWithoutResult], [bytes.length, 2, bytes.length - 4]);
  t.same(decodeWritten(bytes), decoded, 'decodes to the same transaction');
});

t.test('replaces the results of a decoded transaction as if it was decoded again', async (t) => {
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract(1, URL)] });
  const $unknown = fromHex('980601');
  const plain = decodeTransaction(
    Object.assign(new Transaction(), { rawData, signature: [new Uint8Array(65)], $unknown }),
  );
  const succeeded = Object.assign(new TransactionResult(), { contractRet: 1, fee: 9n });
  const paid = withResults(plain, [succeeded]);
  t.same(paid, decodeWritten(Transaction.encode(paid.message)));
  t.same(paid.message.ret, [succeeded]);
  t.same([paid.idHex, plain.message.ret], [plain.idHex, []], 'the id and the source transaction are unchanged');
  t.same(withResults(paid, []), plain);
});

t.test('decodes an empty transaction with the hash of empty bytes and without an owner', async (t) => {
  const decoded = decodeTransaction(new Transaction());
  t.same(decoded.id, sha256(new Uint8Array(0)));
  t.same([decoded.owner, decoded.size], ['', 0]);
});

// Reference: Any.unpack. The type is the text after the last slash.
t.test('decodes a parameter as the message of its type, or returns undefined', async (t) => {
  t.equal((decodeParameter(contract(1, URL)) as TransferContract | undefined)?.amount, 5n);
  t.ok(decodeParameter(contract(1, 'a/b/protocol.TransferContract')));
  const rows: readonly (readonly [name: string, contract: TransactionContract])[] = [
    ['an unknown type', contract(99, URL)],
    ['the message of another type', contract(2, URL)],
    ['no slash', contract(1, 'protocol.TransferContract')],
    ['bytes that do not parse', contract(1, URL, Uint8Array.of(0x0a, 0xff))],
    ['no parameter', Object.assign(new TransactionContract(), { type: 1 })],
  ];
  for (const [name, found] of rows) t.equal(decodeParameter(found), undefined, name);
  t.same([typeName('a/b'), typeName('b'), typeName('a/')], ['b', '', '']);
});

t.test('counts tag, length and bytes of a field', async (t) => {
  t.same([0, 127, 128, 16_383, 16_384, 2_097_152].map(fieldSize), [2, 129, 131, 16_386, 16_388, 2_097_157]);
});
