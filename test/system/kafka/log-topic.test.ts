import t from 'tap';
import { encodeLogRecord } from '../../../src/log/log-record.js';
import { equalBytes } from '../../../src/primitives/bytes.js';
import type { Ledger } from '../../../src/projections/ledger/ledger.js';
import { Replica } from '../../../src/projections/ledger/replica.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import { Forwarder } from '../../../src/streams/forwarding/forwarder.js';
import { PART_BYTES_MAX, PARTS_MAX } from '../../../src/streams/records/log-parts.js';
import { type LogGroup, LogGroups } from '../../../src/streams/sinks/kafka/log-groups.js';
import { readLog } from '../../../src/streams/sinks/kafka/read-log.js';
import { EVENT_TIME_LIMITS } from '../../support/event-timeout.js';
import { seeded, silent, temporaryFolder } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { consumeAll } from '../../support/streams/consume.js';
import { openChain } from '../../support/streams/genesis.js';
import { mainNetSink } from '../../support/streams/main-net-sink.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';

const broker = await Broker.start();
t.teardown(() => broker.close());

const sinkOf = (prefix: string) =>
  kafkaSink(broker.bootstrap, { name: prefix, prefix, topics: ['log'], finality: 'applied' });

async function forwardAll(ledger: Ledger, dataDir: string, prefix: string): Promise<string | undefined> {
  let problem: string | undefined;
  const forwarder = new Forwarder({
    ...{
      ledger,
      dataDir,
      sinks: [sinkOf(prefix)],
      addressPrefix: 0x41,
      blackhole: '',
      parsesContracts: true,
      laterTriggers: false,
      log: silent,
    },
    onStatus: (status) => {
      ({ problem } = status);
    },
  });
  await forwarder.close(EVENT_TIME_LIMITS);
  return problem;
}

/** Reads a log topic into a ledger until the ledger has the entry at `seq`. */
async function followUntil(ledger: WriterLedger, prefix: string, seq: number): Promise<void> {
  const replica = new Replica(ledger);
  const stop = new AbortController();
  const take = async (groups: readonly LogGroup[]): Promise<void> => {
    for (const { seq: first, records } of groups) {
      if (first < replica.nextSeq) for (const record of records) replica.checkKnown(record);
      else replica.take({ records });
    }
    await ledger.flush();
    if (ledger.position.seq >= seq) stop.abort();
  };
  const source = { bootstrap: [broker.bootstrap], prefix };
  const { nextSeq } = replica;
  await readLog({ source, nextSeq, offset: undefined, take, log: silent, signal: stop.signal });
}

t.test('writes every entry with its changes, large ones in parts', async (t) => {
  const [from, to] = [temporaryFolder(t), temporaryFolder(t)];
  const ledger = await openChain(from);
  const random = seeded(5);
  for (let number = 1; number <= 40; number++) {
    if (number % 9 === 0) ledger.revert();
    const memoBytes = number % 10 === 0 ? 400_000 : 10;
    const solidified = number > 5 && random(2) === 0 ? ledger.position.headNumber - 3 : undefined;
    appendTransfers(ledger, { salt: String(number), transactions: 4, memoBytes, ...(solidified && { solidified }) });
  }
  await ledger.flush();
  t.equal(await forwardAll(ledger, from, 'parts'), undefined);
  const { position } = ledger;
  const records = await consumeAll(broker.client(), ['parts.log']);
  t.ok(
    records.some(({ headers }) => Number(headers['parts']) >= 4),
    'some entries are sent in parts',
  );
  t.ok(
    records.every(({ bytes }) => bytes.length <= PART_BYTES_MAX),
    'a part has at most 512 KiB',
  );
  t.same([...new Set(records.map(({ headers }) => headers['change']))].sort(), ['applied', 'reverted', 'solidified']);
  let last = '';
  const gaps = records.filter(({ headers }) => {
    const position = `${headers['seq']}/${headers['index']}`;
    const follows =
      Number(headers['part'] ?? 0) > 0
        ? last === position
        : last === `${headers['prevSeq'] ?? ''}/${headers['prevIndex'] ?? ''}` || last === '';
    last = position;
    return !follows;
  });
  t.same(gaps, [], 'each record names the record before it');

  const copy = await openChain(to);
  await followUntil(copy, 'parts', position.seq);
  t.same(copy.position, position);
  let mismatched = 0;
  for (let seq = 0; seq <= position.seq; seq++)
    if (!equalBytes(copy.record(seq).entry, ledger.record(seq).entry)) mismatched++;
  t.equal(mismatched, 0, 'the copy has the same log');
  await Promise.all([ledger.close(), copy.close()]);
});

t.test('rejects a topic of another log, and a new topic without changes', async (t) => {
  const [first, second] = [temporaryFolder(t), temporaryFolder(t)];
  const ledger = await openChain(first);
  for (const salt of ['a', 'b', 'c']) appendTransfers(ledger, { salt });
  await ledger.flush();
  t.equal(await forwardAll(ledger, first, 'mine'), undefined);
  await ledger.close();
  const other = await openChain(second, { retention: 'unsolidified' });
  for (let number = 1; number <= 20; number++)
    appendTransfers(other, { salt: 'other', ...(number > 10 && { solidified: number }) });
  await other.flush();
  for (let number = 21; number <= 24; number++) appendTransfers(other, { solidified: number });
  await other.flush();
  t.match(
    await forwardAll(other, second, 'mine'),
    /but the log contains block 3 .* instead. Use the data folder from which the sink forwarded that block/,
  );
  t.match(await forwardAll(other, second, 'late'), /the row changes of log entry \d+ were deleted/);
  await other.close();
});

t.test('rejects parts that do not match, and parts above the size limit', async (t) => {
  const value = encodeLogRecord({ entry: Buffer.from('entry'), changes: undefined });
  const record = (headers: Record<string, number>) => ({
    offset: '7',
    value,
    headers: Object.fromEntries(Object.entries(headers).map(([name, number]) => [name, String(number)])),
  });
  const cases: readonly (readonly [string, readonly Record<string, number>[]])[] = [
    ['parts without the first one', [{ seq: 1, index: 0, count: 1, part: 1, parts: 2 }]],
    [
      'a missing part',
      [
        { seq: 1, index: 0, count: 1, part: 0, parts: 3 },
        { seq: 1, index: 0, count: 1, part: 2, parts: 3 },
      ],
    ],
    [
      'a part of another entry',
      [
        { seq: 1, index: 0, count: 1, part: 0, parts: 2 },
        { seq: 2, index: 0, count: 1, part: 1, parts: 2 },
      ],
    ],
    ['an entry without the one before it', [{ seq: 1, index: 1, count: 2 }]],
    ['too many entries', [{ seq: 1, index: 0, count: 3 }]],
    ['too many parts', [{ seq: 1, index: 0, count: 1, part: 0, parts: PARTS_MAX + 1 }]],
    ['no headers', [{}]],
  ];
  for (const [name, records] of cases) {
    const groups = new LogGroups();
    t.throws(
      () => records.map((one) => groups.add(record(one))),
      { code: 'RECORD_DAMAGED', message: /offset 7/ },
      name,
    );
  }
  t.equal(new LogGroups().add(record({ seq: 1, index: 0, count: 1 }))?.records.length, 1);
});

t.test('only a Kafka sink can forward the log', async (t) => {
  const sink = { name: 'log', type: 'kafka', bootstrap: 'b:1', topics: ['log'], partitions: 5 };
  t.match(mainNetSink(sink), { topics: ['log'], partitions: 1, finality: 'applied' });
  t.throws(() => mainNetSink({ ...sink, topics: ['log', 'block'] }), { message: /must be the only topic of a sink/ });
  t.throws(() => mainNetSink({ ...sink, type: 'ndjson', path: 'a' }), { message: /only sinks of type kafka support/ });
  t.throws(() => mainNetSink({ ...sink, from: 3 }), { message: /has all entries of the log/ });
});
