import t from 'tap';
import {
  Account,
  AccountPermissionUpdateContract,
  NumberMessage,
  Return,
  Transaction,
} from '../../../src/codec/generated/messages.js';
import { WireTypeError } from '../../../src/codec/reader.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';

const again = (hex: string): string => toHex(Transaction.encode(Transaction.decode(fromHex(hex))));

t.test('keeps the earlier value of a field that occurs again with the default value', async (t) => {
  // First raw_data: ref_block_bytes 01, ref_block_hash 02, timestamp 3. The other raw_data have an empty hash and the
  // timestamps 0 and 4.
  const first = '0a08' + '0a0101' + '220102' + '7003';
  t.equal(again(`${first}0a04${'2200'}${'7000'}`), first, 'a default value in a later part');
  t.equal(again(`${first}0a04${'2200'}${'7004'}`), `0a08${'0a0101'}${'220102'}${'7004'}`);
  t.equal(again('0a05' + '220102' + '2200'), '0a00', 'a default value in the same part');
});

t.test('appends repeated fields, and merges nested messages by the same rule', async (t) => {
  // Both raw_data have a contract. The message then has two contracts, with types 1 and 2.
  t.equal(again('0a045a020801' + '0a045a020802'), '0a085a0208015a020802');
  const permission = (hex: string): string =>
    toHex(AccountPermissionUpdateContract.encode(AccountPermissionUpdateContract.decode(fromHex(hex))));
  t.equal(permission('1204' + '1002' + '2003' + '1202' + '1000'), '1204' + '1002' + '2003');
  t.equal(permission('1202' + '1a00' + '1203' + '1a0161' + '1203' + '1a0162'), '1203' + '1a0162');
});

t.test('keeps the later value of a map entry, including a default', async (t) => {
  const account = Account.decode(fromHex('3204' + '0a00' + '1005' + '3204' + '0a00' + '1000'));
  t.same([...account.asset], [['', 0n]]);
});

t.test('reads a ten-byte varint as negative regardless of its last byte', async (t) => {
  const numberOf = (hex: string): bigint => NumberMessage.decode(fromHex(hex)).num;
  t.equal(numberOf('08ffffffffffffffffff10'), -1n);
  t.equal(numberOf('0880808080808080808000'), -(2n ** 63n));
  t.equal(numberOf('08ffffffffffffffff7f'), 2n ** 63n - 1n, 'a varint of nine bytes');
  t.equal(Return.decode(fromHex('0880808080808080808000')).result, true, 'a boolean is true as well');
  t.throws(() => numberOf('08ffffffffffffffffff80'), { code: 'PROTOBUF_ERROR' });
});

t.test('reports an unterminated group as missing its end, and other tags with their own exception', async (t) => {
  const unclosed = 'Protocol message end-group tag did not match expected tag.';
  // Groups: one alone, one with a field, one inside a message, and one with the end tag of another field number.
  for (const hex of ['1b', '1b0800', '0a011b', '1b24'])
    t.throws(() => Transaction.decode(fromHex(hex)), { message: unclosed }, hex);
  t.throws(() => Transaction.decode(fromHex('1b08')), { message: /ended unexpectedly/ });
  t.throws(() => Transaction.decode(fromHex('0f')), WireTypeError);
  t.throws(() => Transaction.decode(fromHex('1b0f')), WireTypeError);
});
