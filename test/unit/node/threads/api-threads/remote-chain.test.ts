import t from 'tap';
import { Account } from '../../../../../src/codec/generated/messages.js';
import type { PendingUpdate } from '../../../../../src/node/threads/api-threads/messages.js';
import { RemoteChain } from '../../../../../src/node/threads/api-threads/remote-chain.js';
import type { Ledger } from '../../../../../src/projections/ledger/ledger.js';
import type { WrittenRow } from '../../../../../src/projections/state/overlaid-state.js';
import { storeId } from '../../../../../src/projections/state/stores.js';
import { newAccount } from '../../../../../src/state-transition/state/state.js';
import { addressOf, bytesOf, stateWith } from '../../../../support/vm/state-with.js';

/** A remote chain whose ledger has no rows and no transactions. The position is that of the newest block. */
function remoteChain() {
  const ledger = {
    head: { get: () => undefined, range: () => [] },
    position: { seq: 5, headNumber: 5, headId: new Uint8Array(32) },
    blockIdAt: () => new Uint8Array(32),
  };
  const { rules } = stateWith();
  const chain = new RemoteChain({ ledger: ledger as unknown as Ledger, rules, submit: () => Promise.resolve() });
  const balance = (fill: number): bigint | undefined => chain.head().accounts.get(addressOf(fill))?.balance;
  return { chain, ledger, balance };
}

const accountRow = (fill: number, balance: bigint): WrittenRow => ({
  store: storeId('account'),
  key: bytesOf(fill),
  value: Account.encode(newAccount(addressOf(fill), { balance })),
});

const update = (rows: readonly WrittenRow[], { isWhole = false, seq = 5 } = {}): PendingUpdate => ({
  seq,
  isWhole,
  pending: [],
  repushed: [],
  rows,
  storedNumber: 4,
  snapshotCount: 1,
});

t.test('adds the effects of new pending transactions to those of earlier ones', (t) => {
  const { chain, balance } = remoteChain();
  chain.apply(update([accountRow(1, 10n)], { isWhole: true }));
  t.equal(balance(1), 10n);
  chain.apply(update([accountRow(2, 20n)]));
  t.same([balance(1), balance(2)], [10n, 20n]);
  chain.apply(update([accountRow(1, 11n)]));
  t.same([balance(1), balance(2)], [11n, 20n], 'a later effect on the same account replaces the earlier one');
  t.end();
});

t.test('a complete update replaces all effects', (t) => {
  const { chain, balance } = remoteChain();
  chain.apply(update([accountRow(1, 10n)], { isWhole: true }));
  t.equal(balance(1), 10n);
  chain.apply(update([accountRow(2, 20n)], { isWhole: true }));
  t.same([balance(1), balance(2)], [undefined, 20n]);
  t.end();
});

t.test('does not apply the effects of pending transactions to a newer head than theirs', (t) => {
  const { chain, ledger, balance } = remoteChain();
  chain.apply(update([accountRow(1, 10n)], { isWhole: true }));
  t.equal(balance(1), 10n);
  ledger.position = { ...ledger.position, seq: 6, headNumber: 6 };
  t.equal(balance(1), undefined, 'a new block is on disk, but its update has not arrived');
  chain.apply(update([accountRow(1, 12n)], { isWhole: true, seq: 6 }));
  t.equal(balance(1), 12n);
  t.end();
});

t.test('increments the version of the head with each change only', (t) => {
  const { chain, balance } = remoteChain();
  chain.apply(update([accountRow(1, 10n)], { isWhole: true }));
  balance(1);
  const version = chain.headVersion;
  balance(1);
  t.equal(chain.headVersion, version);
  chain.apply(update([accountRow(2, 20n)]));
  balance(1);
  t.equal(chain.headVersion, version + 1);
  t.end();
});

t.test('reads the effects of each pending transaction once, for any number of later ones', (t) => {
  const { chain, balance } = remoteChain();
  let reads = 0;
  const counted = (fill: number): WrittenRow => ({
    ...accountRow(fill, 1n),
    get value() {
      reads++;
      return accountRow(fill, 1n).value;
    },
  });
  chain.apply(update([], { isWhole: true }));
  for (let fill = 1; fill <= 100; fill++) {
    chain.apply(update([counted(fill)]));
    balance(fill);
  }
  t.equal(reads, 100);
  t.end();
});
