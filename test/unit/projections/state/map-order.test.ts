import t from 'tap';
import { Account, Proposal } from '../../../../src/codec/generated/messages.js';
import { Writer } from '../../../../src/codec/writer.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import {
  ChangeSet,
  encodeChangeSet,
  nextDigest,
  normaliseChanges,
} from '../../../../src/projections/state/change-set.js';
import { sortedValue } from '../../../../src/projections/state/map-order.js';
import { findStoreId } from '../../../../src/projections/state/stores.js';

const ACCOUNT = findStoreId('account')!;
const key = new Uint8Array(21).fill(0x41);

function account(tokens: readonly string[], balance = 5n): Uint8Array {
  const row = new Account();
  row.balance = balance;
  for (const token of tokens) {
    row.freeAssetNetUsageV2.set(token, BigInt(token.length));
    row.assetV2.set(token, 2n ** 62n);
  }
  row.isWitness = true;
  return Writer.encode(row, Account);
}

function digest(before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  const other = { store: findStoreId('code')!, key, before: undefined, after: utf8('x') };
  const changes = normaliseChanges([{ store: ACCOUNT, key, before, after }, other]);
  const set = new ChangeSet(encodeChangeSet(changes, new Uint8Array()));
  return Buffer.from(nextDigest(new Uint8Array(32), new Uint8Array(32), set)).toString('hex');
}

t.test('stores the order of map entries in rows but not in the digest', async (t) => {
  const [mixed, sorted] = [account(['3', '10', '2', '']), account(['', '10', '2', '3'])];
  t.notSame(mixed, sorted);
  t.same(sortedValue(ACCOUNT, key, mixed), sorted);
  t.equal(sortedValue(ACCOUNT, key, sorted), sorted, 'sorted bytes are not copied');
  t.equal(digest(undefined, mixed), digest(undefined, sorted));
  t.not(digest(undefined, mixed), digest(undefined, account(['', '10', '2', '3'], 6n)));
});

t.test('keeps the digest if only the order of the map entries in a row changed', async (t) => {
  const [mixed, sorted] = [account(['3', '2']), account(['2', '3'])];
  t.equal(digest(mixed, sorted), digest(sorted, sorted));
  t.not(digest(undefined, sorted), digest(sorted, sorted));
});

t.test(
  'sorts number keys numerically, and sorts the maps of an account also in the rows of reward cycles',
  async (t) => {
    const proposal = new Proposal();
    proposal.parameters = new Map([17n, 9n, 300n].map((id) => [id, 1n]));
    const ids = [
      ...Proposal.decode(
        sortedValue(findStoreId('proposal')!, key, Writer.encode(proposal, Proposal)),
      ).parameters.keys(),
    ];
    t.same(ids, [9n, 17n, 300n]);
    const delegation = findStoreId('delegation')!;
    t.same(sortedValue(delegation, utf8('1-41-account-vote'), account(['b', 'a'])), account(['a', 'b']));
    const cut = account(['b', 'a']).subarray(0, -5);
    t.equal(sortedValue(ACCOUNT, key, cut), cut, 'malformed bytes are unchanged');
    const number = Uint8Array.of(0x32, 0xff, 0xff);
    t.equal(sortedValue(delegation, utf8('1-41-reward'), number), number);
  },
);
