import t, { type Test } from 'tap';
import { Transaction, TransactionContract, TransactionRaw } from '../../../../src/codec/generated/messages.js';
import type { Advertiser } from '../../../../src/p2p/inventory/advertiser.js';
import { TransactionIntake } from '../../../../src/p2p/inventory/transaction-intake.js';
import type { LocalChain } from '../../../../src/p2p/local-chain.js';
import { P2pError } from '../../../../src/p2p/p2p-error.js';
import { IdleClock } from '../../../../src/p2p/peers/idle-clock.js';
import { DEFAULT_LIMITS } from '../../../../src/p2p/releases/peer-limits.js';
import type { PeerRelease } from '../../../../src/p2p/releases/peer-release.js';
import { peerRelease } from '../../../../src/p2p/releases/releases.js';
import type { DecodedTransaction } from '../../../../src/state-transition/transaction.js';
import { decodeTransaction } from '../../../../src/state-transition/transactions/decode-transaction.js';
import { endOf, type FakePeer, fakePeer, later, observer, older } from '../../../support/p2p/fake-peer.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { until } from '../../../support/until.js';

let made = 0;

interface Shape {
  /** Size of the additional data, in bytes. */
  readonly data?: number;
  readonly type?: number;
  readonly contracts?: number;
  readonly signatures?: readonly number[];
}

function transaction({ type = 1, contracts = 1, signatures = [65], data = 0 }: Shape = {}): DecodedTransaction {
  const contract = Array.from({ length: contracts }, () => Object.assign(new TransactionContract(), { type }));
  const rawData = Object.assign(new TransactionRaw(), {
    contract,
    timestamp: BigInt(++made),
    data: new Uint8Array(data),
  });
  const signature = signatures.map((size) => new Uint8Array(size));
  return decodeTransaction(Object.assign(new Transaction(), { rawData, signature }));
}

/** Returns an intake over a chain stub. The stub accepts all transactions, unless `chain` replaces a method. */
function intake(t: Test, release: PeerRelease, chain: Partial<LocalChain> = {}) {
  const announced: string[] = [];
  const advertiser: Partial<Advertiser> = {
    content: () => undefined,
    announceTransaction: (id) => void announced.push(id),
  };
  const made = new TransactionIntake({
    chain: { addTransaction: (one) => one, pendingTransactions: 0, ...chain } as LocalChain,
    release,
    advertiser: advertiser as Advertiser,
    waitClock: new IdleClock(Date.now),
    observer,
    log: silentLog,
  });
  t.teardown(() => made.close());
  return { intake: made, announced };
}

/** Returns a peer from which the node has requested these transactions. */
function peerWithRequests(transactions: readonly DecodedTransaction[], release = later): FakePeer {
  const fake = fakePeer({ release });
  for (const { idHex } of transactions) fake.peer.itemRequests.set(idHex, 1);
  return fake;
}

t.test('accepts earlier messages of a disconnected peer, unless one is invalid', async (t) => {
  for (const [release, isAccepted] of [
    [later, true],
    [older, false],
  ] as const) {
    const sent = [transaction(), transaction()];
    const { peer } = peerWithRequests(sent, release);
    const { intake: into, announced } = intake(t, release);
    into.take(peer, sent);
    peer.disconnect('TIME_OUT');
    const other = [transaction()];
    into.take(peerWithRequests(other, release).peer, other);
    await until('the last one is announced', () => announced.includes(other[0]!.idHex));
    t.same(announced.length, isAccepted ? 3 : 1, release.name);
  }
});

t.test('drops all messages of a peer after an invalid one', async (t) => {
  const sent = [transaction(), transaction(), transaction()];
  const fake = peerWithRequests(sent);
  const addTransaction = (one: DecodedTransaction): DecodedTransaction => {
    if (one.idHex === sent[1]!.idHex) throw new P2pError('BAD_TRX', 'bad');
    return one;
  };
  const { intake: into, announced } = intake(t, later, { addTransaction });
  into.take(fake.peer, sent);
  const other = [transaction()];
  into.take(peerWithRequests(other).peer, other);
  await until('the transaction of another peer is announced', () => announced.includes(other[0]!.idHex));
  t.same(announced, [sent[0]!.idHex, other[0]!.idHex]);
  t.equal(endOf(fake), 'BAD_TX');
});

t.test('validates all transactions of a message before it accepts any of them', async (t) => {
  const [fine, twice] = [transaction(), transaction()];
  const unasked = transaction();
  const cases: readonly (readonly [what: string, code: string, sent: readonly DecodedTransaction[]])[] = [
    ['a transaction twice', 'BAD_MESSAGE', [fine, twice, twice]],
    ['one that was not requested', 'BAD_MESSAGE', [fine, unasked]],
    ['one without a contract', 'BAD_TRX', [fine, transaction({ contracts: 0 })]],
    ['a signature of 64 bytes', 'BAD_TRX', [fine, transaction({ signatures: [64] })]],
    ['a signature of 69 bytes', 'BAD_TRX', [fine, transaction({ signatures: [65, 69] })]],
  ];
  for (const [what, code, sent] of cases) {
    const { peer } = peerWithRequests(sent.filter((one) => one !== unasked));
    t.throws(() => intake(t, later).intake.take(peer, sent), { code }, what);
    t.ok(peer.itemRequests.has(fine.idHex), 'no transaction was accepted');
  }
  const sizes = [transaction({ signatures: [] }), transaction({ signatures: [65, 66, 67, 68] })];
  t.doesNotThrow(() => intake(t, later).intake.take(peerWithRequests(sizes).peer, sizes));
  const odd = [transaction({ signatures: [69] })];
  t.doesNotThrow(
    () => intake(t, older).intake.take(peerWithRequests(odd, older).peer, odd),
    'release 4.7.2 checks the size later',
  );
});

t.test('since 4.8.2, counts the mempool and its own queue against the limit', async (t) => {
  const release = peerRelease('4.8.2', { ...DEFAULT_LIMITS, transactionsMax: 2000 });
  t.notOk(intake(t, release, { pendingTransactions: 2000 }).intake.isBusy);
  t.ok(intake(t, release, { pendingTransactions: 2001 }).intake.isBusy);
  t.notOk(intake(t, older, { pendingTransactions: 60_000 }).intake.isBusy, 'release 4.7.2 counts its own queues');
  const sent = [transaction()];
  const { intake: into } = intake(t, release, { pendingTransactions: 2000 });
  into.take(peerWithRequests(sent).peer, sent);
  t.ok(into.isBusy, 'transactions that wait for validation are counted');
});

// java-tron forwards the transaction with the result that Manager.processTransaction has added. Reference:
// AdvService.broadcast.
t.test('forwards the transaction of a peer with the local result', async (t) => {
  const [sent, kept] = [transaction(), transaction()];
  const announced: Uint8Array[] = [];
  const advertiser: Partial<Advertiser> = {
    content: () => undefined,
    announceTransaction: (_id, bytes) => void announced.push(bytes),
  };
  const chain = { addTransaction: () => kept, pendingTransactions: 0 } as Partial<LocalChain> as LocalChain;
  const parts = { chain, release: older, advertiser: advertiser as Advertiser, waitClock: new IdleClock(Date.now) };
  const into = new TransactionIntake({ ...parts, observer, log: silentLog });
  t.teardown(() => into.close());
  into.take(peerWithRequests([sent]).peer, [sent]);
  await until('the transaction is announced', () => announced.length === 1);
  t.same(announced, [kept.bytes]);
});

// Reference: TransactionsMsgHandler.processMessage, and ContractType.getNumber, which throws for an unknown type.
t.test('rejects an unknown contract type after it accepts earlier transactions', async (t) => {
  const sent = [transaction(), transaction({ type: 99 }), transaction()];
  const { intake: into, announced } = intake(t, later);
  t.throws(() => into.take(peerWithRequests(sent).peer, sent), { code: 'PARSE_MESSAGE_FAILED' });
  await until('the first transaction is announced', () => announced.length > 0);
  t.same(announced, [sent[0]!.idHex]);
});

t.test('drops transactions above 64 MiB in the queue, and requests no others', async (t) => {
  for (const type of [1, 31]) {
    const sent = Array.from({ length: 160 }, () => transaction({ type, data: 490_000 }));
    const { intake: into, announced } = intake(t, later);
    into.take(peerWithRequests(sent).peer, sent);
    t.ok(into.isBusy);
    await until('the queue is empty', () => !into.isBusy && announced.length >= 137);
    const one = [transaction()];
    into.take(peerWithRequests(one).peer, one);
    await until('later transactions are accepted', () => announced.includes(one[0]!.idHex));
    t.equal(announced.length, 138);
  }
});
