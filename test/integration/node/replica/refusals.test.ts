import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Chain } from '../../../../src/chain/chain.js';
import { checksum64 } from '../../../../src/crypto/checksum.js';
import { decodeEntry, encodeEntry, hashOfEntry, previousHashOfEntry } from '../../../../src/log/log-entry.js';
import { decodeLogRecord, encodeLogRecord, type LogRecord } from '../../../../src/log/log-record.js';
import { FollowLog } from '../../../../src/node/replica/follow-log.js';
import { ChangeSet, encodeChangeSet } from '../../../../src/projections/state/change-set.js';
import { storeName } from '../../../../src/projections/state/stores.js';
import { openRecorded } from '../../../conformance/replay-session.js';
import { silent } from '../../../support/projections/chain.js';
import { readTopic, writeTopic } from '../../../support/replica/copy-topic.js';
import { growRecording, logSink } from '../../../support/replica/recorded-chain.js';
import { Broker } from '../../../support/streams/broker.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';
import { until } from '../../../support/until.js';

const RECORDING = 'forks/forks7';
const BLOCKS = 30;
const broker = await Broker.start();
t.teardown(() => broker.close());
const kafka = broker.client();
let newestSeq = 0;

interface Following {
  readonly chain: Chain;
  readonly following: FollowLog;
  close(): Promise<void>;
}

async function follow(prefix: string, dataDir: string, recording = RECORDING): Promise<Following> {
  const chain = await openRecorded(join(golden, recording), dataDir);
  const following = new FollowLog({ chain, source: { bootstrap: [broker.bootstrap], prefix }, log: silent });
  const close = async (): Promise<void> => {
    await following.close();
    await chain.ledger.close();
  };
  return { chain, following, close };
}

/**
 * Starts a replica of a log topic and expects that it fails with an error. Returns the head at which the replica
 * stopped.
 */
async function refused(
  t: Pick<typeof import('tap').t, 'rejects' | 'teardown'>,
  prefix: string,
  expected: { readonly code: string; readonly message: RegExp },
  recording?: string,
): Promise<number> {
  const { chain, following, close } = await follow(prefix, temporaryFolder(t), recording);
  await t.rejects(following.ended, expected);
  const { headNumber } = chain.ledger.position;
  await close();
  return headNumber;
}

/** Records of the log of a node that has some blocks. */
const records = await (async () => {
  const folder = { teardown: t.teardown.bind(t) };
  const growing = await growRecording(RECORDING, temporaryFolder(folder), [logSink(broker.bootstrap)]);
  await growing.grow(BLOCKS);
  newestSeq = growing.chain.ledger.position.seq;
  await growing.close();
  return readTopic(kafka, 'tronicle.log', newestSeq + 1);
})();

/** Returns a function that changes the record of block 20 and returns other records unchanged. */
function alter(change: (record: LogRecord) => LogRecord): (value: Buffer) => Buffer {
  return (value) => {
    const record = decodeLogRecord(value);
    const entry = decodeEntry(record.entry);
    return entry?.kind === 'applied' && entry.number === 20 ? encodeLogRecord(change(record)) : value;
  };
}

/**
 * Returns a function that changes the rows of block 20. It recomputes the checksum and the hashes of the previous
 * entries, as if the followed node had computed another result.
 */
function decideOtherwise(change: (changes: ChangeSet) => Buffer): (value: Buffer) => Buffer {
  let previous: Uint8Array | undefined;
  return (value) => {
    const record = decodeLogRecord(value);
    let entry = decodeEntry(record.entry)!;
    let { changes } = record;
    if (entry.kind === 'applied' && entry.number === 20) {
      changes = change(new ChangeSet(changes!));
      entry = { ...entry, changesChecksum: checksum64(changes) };
    }
    const bytes = encodeEntry(entry, previous ?? previousHashOfEntry(record.entry));
    previous = hashOfEntry(bytes);
    return encodeLogRecord({ entry: bytes, changes });
  };
}

function flipped(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1]! ^= 1;
  return copy;
}

t.test('rejects a block with another state by its digest and names the rows', async (t) => {
  let row = '';
  const another = decideOtherwise((changes) => {
    const rows = [...changes.rows()].map((one, at) => {
      if (at !== 1 || one.after === undefined) return one;
      row = `${Buffer.from(one.key).toString('hex')} of store ${storeName(one.store)}`;
      return { ...one, after: flipped(one.after) };
    });
    return encodeChangeSet(rows, changes.internalTransactions);
  });
  await writeTopic(broker.client(), 'row.log', records, another);
  const head = await refused(t, 'row', { code: 'DIGEST_DIFFERS', message: /^block 20 .* leads to another state/ });
  t.equal(head, 19, 'the replica stops below the block');
  await t.rejects(
    follow('row', temporaryFolder(t)).then(async ({ following, close }) => {
      await following.ended.finally(close);
    }),
    { message: new RegExp(row) },
    'the error names the row',
  );
});

t.test('rejects a damaged record', async (t) => {
  const damagedEntry = alter(({ entry, changes }) => ({ entry: flipped(entry), changes }));
  const damagedChanges = alter(({ entry, changes }) => ({ entry, changes: flipped(changes!) }));
  await writeTopic(broker.client(), 'entry.log', records, damagedEntry);
  await writeTopic(broker.client(), 'changes.log', records, damagedChanges);
  await writeTopic(broker.client(), 'version.log', records, (value, at) => (at < 20 ? value : Buffer.from([9, 9])));
  t.equal(await refused(t, 'entry', { code: 'RECORD_DAMAGED', message: /corrupt/ }), 19);
  t.equal(await refused(t, 'changes', { code: 'RECORD_DAMAGED', message: /\(block 20\).*changes/ }), 19);
  await refused(t, 'version', { code: 'RECORD_DAMAGED', message: /offset 20: .* version 9/ });
});

t.test('rejects the log of another genesis or another node', async (t) => {
  await refused(t, 'tronicle', { code: 'GENESIS_DIFFERS', message: /genesis.block and committee/ }, 'off');
  const dataDir = temporaryFolder(t);
  const own = await growRecording(RECORDING, dataDir, []);
  await own.grow(4);
  own.chain.revertHead();
  await own.close();
  const other = await follow('tronicle', dataDir);
  await t.rejects(other.following.ended, { code: 'LOG_DIFFERS', message: /another node/ });
  await other.close();
});

t.test('rejects a shortened or deleted topic with a remedy', async (t) => {
  await writeTopic(broker.client(), 'short.log', records, (value) => value);
  const [ahead, behind] = [temporaryFolder(t), temporaryFolder(t)];
  const first = await follow('short', ahead);
  await until('all entries of the log', async () => first.chain.ledger.position.seq === newestSeq);
  await first.close();
  const admin = kafka.admin();
  await admin.connect();
  t.teardown(() => admin.disconnect());
  // kafkajs can delete records only after it has fetched the metadata of the topic.
  await admin.fetchTopicOffsets('short.log');
  await admin.deleteTopicRecords({ topic: 'short.log', partitions: [{ partition: 0, offset: '10' }] });
  const late = await follow('short', behind);
  await t.rejects(late.following.ended, {
    code: 'ENTRIES_MISSING',
    message: /expects entry 1: the topic was truncated/,
  });
  await late.close();
  const again = await follow('short', ahead);
  await sleep(500);
  t.equal(again.chain.ledger.position.seq, newestSeq, 'a replica beyond that position continues');
  await again.close();
  await admin.deleteTopics({ topics: ['short.log'] });
  const deleted = await follow('short', ahead);
  await t.rejects(deleted.following.ended, { code: 'ENTRIES_MISSING', message: /deleted, truncated or recreated/ });
  await deleted.close();
});
