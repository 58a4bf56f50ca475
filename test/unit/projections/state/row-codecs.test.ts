import t from 'tap';
import { Account } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { byteRows, int64Rows, messageRows } from '../../../../src/projections/state/row-codecs.js';

t.test('decodes the rows that it encodes and copies messages before changes', async (t) => {
  t.equal(toHex(int64Rows.encode(-2n, '')), 'fffffffffffffffe');
  t.equal(int64Rows.decode(int64Rows.encode(-2n, ''), ''), -2n);
  const bytes = Uint8Array.of(1, 2);
  t.equal(byteRows.decode(byteRows.encode(bytes, ''), ''), bytes);
  const accounts = messageRows(Account);
  const account = Object.assign(new Account(), { balance: 5n, assetV2: new Map([['1000001', 7n]]) });
  t.same(accounts.decode(accounts.encode(account, ''), ''), account);
  const copy = accounts.clone(account);
  copy.assetV2.set('1000001', 8n);
  t.equal(account.assetV2.get('1000001'), 7n);
});
