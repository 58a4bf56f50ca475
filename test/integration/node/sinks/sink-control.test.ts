import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { LOCAL_SOURCES } from '../../../../src/api/http/server/request-sources.js';
import type { Chain } from '../../../../src/chain/chain.js';
import { NO_FLAGS } from '../../../../src/config/flags.js';
import { loadConfig } from '../../../../src/config/load-config.js';
import { openOperatorAbis } from '../../../../src/encoding/abi/operator-abis.js';
import { createAdminServer } from '../../../../src/node/admin/admin-server.js';
import { openChain } from '../../../../src/node/open-chain.js';
import { type SinkService, serveSinks } from '../../../../src/node/sinks/serve-sinks.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { CheckpointFile, checkpointFileOf, checkpointsOfSinks } from '../../../../src/streams/sinks/checkpoint-file.js';
import type { SinkOptions, SinkOptionsOf } from '../../../../src/streams/sinks/sink-kinds.js';
import { EVENT_TIME_LIMITS } from '../../../support/event-timeout.js';
import { silent } from '../../../support/projections/chain.js';
import { Broker } from '../../../support/streams/broker.js';
import { brokenLinks, type Consumed, consumeAll } from '../../../support/streams/consume.js';
import { mainNetSink } from '../../../support/streams/main-net-sink.js';
import { kafkaSink, ndjsonSink } from '../../../support/streams/sink-options.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden, runTronicle } from '../../../support/tronicle.js';
import { until } from '../../../support/until.js';

const folder = join(golden, 'system-modern');
const blocks = gunzipSync(readFileSync(join(folder, 'blocks.ndjson.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { num: number; block: string })
  .filter(({ num }) => num > 0);

interface Node {
  readonly chain: Chain;
  readonly dataDir: string;
  pushTo(height: number): Promise<void>;
  serve(isCatchUp?: boolean): SinkService;
}

async function openNode(t: Parameters<typeof temporaryFolder>[0], sinks: readonly SinkOptions[]): Promise<Node> {
  const { config: read } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const config = { ...read, tronicle: { ...read.tronicle, sinks } };
  const dataDir = temporaryFolder(t);
  const chain = await openChain({ config, dataDir, log: silent });
  t.teardown(() => chain.ledger.close());
  return {
    chain,
    dataDir,
    pushTo: async (height) => {
      const next = chain.ledger.position.headNumber + 1;
      for (const { num, block } of blocks)
        if (num >= next && num <= height) chain.importBlock(decodeBlock(fromHex(block)));
      await chain.ledger.flush();
    },
    serve: (isCatchUp = false) =>
      serveSinks({ config, dataDir, chain, log: silent, closeLimits: EVENT_TIME_LIMITS, isCatchUp }),
  };
}

/** Returns a function that returns true when the backfill of this name is complete. */
const isFinished = (sinks: SinkService, name: string) => (): boolean =>
  (sinks.control.list() as { name: string; status?: { state: string } }[]).some(
    (sink) => sink.name === name && sink.status?.state === 'done',
  );

const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const file = (name: string): SinkOptionsOf<'ndjson'> => ndjsonSink(name, { topics: ['block', 'transaction'] });

const linesOf = (dataDir: string, name: string): Record<string, unknown>[] =>
  readFileSync(join(dataDir, `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/**
 * Returns the records of those blocks that `isIn` selects. Removes the headers `prevSeq` and `prevIndex` from the first
 * record of each partition, because only there they differ in a backfill.
 */
function shown(records: readonly Consumed[], isIn: (height: number) => boolean): unknown[] {
  const seen = new Set<number>();
  return records
    .filter(({ headers }) => isIn(Number(headers['blockNum'])))
    .map(({ partition, key, bytes, headers: { prevSeq, prevIndex, ...headers } }) => {
      const isFirst = !seen.has(partition);
      seen.add(partition);
      const value = bytes.toString('hex');
      return JSON.stringify([partition, key, value, headers, ...(isFirst ? [] : [prevSeq, prevIndex])]);
    })
    .sort();
}

t.test('backfills a protobuf sink with the same bytes as live forwarding', async (t) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const topics = ['transaction', 'balance'] as const;
  const live = kafkaSink(broker.bootstrap, { prefix: 'proto', topics, partitions: 2, payload: 'protobuf' });
  const node = await openNode(t, [live]);
  await node.pushTo(150);
  const sinks = node.serve();
  const isAt = (name: string, height: number) => () => (sinks.statuses.get(name)?.number ?? -1) >= height;
  await until('live records', isAt('kafka', node.chain.solidifiedNumber));
  const ranges = { transaction: 40, balance: 10 };
  for (const topic of topics) {
    const { sink } = await sinks.control.backfill({
      ...{ sink: 'kafka', topic, from: ranges[topic], to: 120, into: `proto.again.${topic}` },
    });
    await until(`the end of ${topic}`, isFinished(sinks, sink));
  }
  await sinks.close();
  for (const topic of topics) {
    const [before, again] = [
      await consumeAll(broker.client(), [`proto.${topic}`]),
      await consumeAll(broker.client(), [`proto.again.${topic}`]),
    ];
    t.ok(again.length > 0, `${again.length} records of ${topic}`);
    t.same(brokenLinks(again), []);
    t.ok(again.every(({ headers }) => headers['content-type'] === 'application/x-protobuf'));
    t.same(
      shown(again, () => true),
      shown(before, (height) => height >= ranges[topic] && height <= 120),
    );
  }
});

t.test('backfills the same records as live forwarding and continues live', async (t) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const live = kafkaSink(broker.bootstrap, { prefix: 'fill', topics: ['block', 'transaction'], partitions: 2 });
  const node = await openNode(t, [live]);
  await node.pushTo(150);
  const sinks = node.serve();
  const isAt = (name: string, height: number) => () => (sinks.statuses.get(name)?.number ?? -1) >= height;
  await until('live records', isAt('kafka', node.chain.solidifiedNumber));
  await t.rejects(sinks.control.backfill({ sink: 'kafka', topic: 'transaction', from: 40 }), /set another Kafka topic/);
  const { sink: name } = await sinks.control.backfill({
    ...{ sink: 'kafka', topic: 'transaction', from: 40, into: 'fill.again' },
  });
  await node.pushTo(260);
  await until('the backfill', isAt(name, node.chain.solidifiedNumber));
  const { sink: part } = await sinks.control.backfill({
    ...{ sink: 'kafka', topic: 'block', from: 20, to: 90, into: 'fill.part' },
  });
  await until('the end of the other', isFinished(sinks, part));
  t.notOk(sinks.statuses.has(part), 'metrics and status page do not list the backfill any more');
  await sinks.close();
  const read = async (topic: string): Promise<Consumed[]> => consumeAll(broker.client(), [topic]);
  const [transactions, again, heads, some] = [
    await read('fill.transaction'),
    await read('fill.again'),
    await read('fill.block'),
    await read('fill.part'),
  ];
  t.ok(again.length > 100);
  t.same(brokenLinks(again), []);
  t.same(
    shown(again, () => true),
    shown(transactions, (height) => height >= 40),
  );
  t.equal(some.length, 71);
  t.same(
    shown(some, () => true),
    shown(heads, (height) => height >= 20 && height <= 90),
  );
});

t.test('releases log blocks after a complete backfill, and retains them after an incomplete one', async (t) => {
  const node = await openNode(t, [file('live')]);
  await node.pushTo(60);
  const sinks = node.serve();
  const filled = { sink: 'live', topic: 'block' };
  const whole = await sinks.control.backfill({ ...filled, from: 10, to: 30, into: 'whole.ndjson' });
  await until('the end of the backfill', isFinished(sinks, whole.sink));
  const open = await sinks.control.backfill({ ...filled, from: 12, to: 900, into: 'open.ndjson' });
  const top = node.chain.solidifiedNumber;
  await until('the other sink', () => sinks.statuses.get(open.sink)?.number === top);
  await until('the sink', () => sinks.statuses.get('live')?.number === top);
  await sinks.close();
  const { dataDir } = node;
  const isDone = (name: string) => new CheckpointFile(checkpointFileOf(dataDir, name)).read()?.isDone;
  t.same([whole.sink, open.sink, 'live'].map(isDone), [true, undefined, undefined]);
  const checkpoints = checkpointsOfSinks(dataDir).map(({ file, position }) => [basename(file), position?.seq ?? -1]);
  const { seq } = new CheckpointFile(checkpointFileOf(dataDir, 'live')).read()!;
  t.same(checkpoints.sort(), [
    ['live-block-from-12.json', seq],
    ['live.json', seq],
  ]);
  await node.chain.ledger.close();
  const pruned = await runTronicle(['prune', '--keep', '70000', '-d', dataDir, '-c', join(folder, 'config.conf')]);
  t.equal(pruned.code, 0, `the file with sink changes is not read as a sink position: ${pruned.stderr}`);
  const named = { name: 'sinks', type: 'ndjson', path: 'x.ndjson', topics: ['block'] };
  t.throws(() => mainNetSink(named), /must not be sinks/, 'the name is reserved for the file with sink changes');
});

t.test('forwards each imported block once, even to a sink that starts after the import', async (t) => {
  const node = await openNode(t, [file('live')]);
  const first = node.serve(true);
  await node.pushTo(100);
  t.equal(first.statuses.size, 0);
  await first.close();
  const heights = (): unknown[] =>
    linesOf(node.dataDir, 'live')
      .filter(({ topic }) => topic === 'block')
      .map(({ blockNum }) => blockNum);
  const all = (): number[] => Array.from({ length: node.chain.solidifiedNumber + 1 }, (_, height) => height);
  t.same(heights(), all());
  const second = node.serve(true);
  t.equal(second.statuses.size, 0);
  await until('the forwarded block', () => second.statuses.get('live')?.state === 'forwarding');
  await node.pushTo(200);
  await second.close();
  t.same(heights(), all(), 'each record once');
});

t.test('adds, pauses, filters and removes sinks at run time and over a restart', async (t) => {
  const node = await openNode(t, [file('first')]);
  await node.pushTo(60);
  const sinks = node.serve();
  const abis = { operatorAbis: openOperatorAbis({ dataDir: temporaryFolder(t), log: silent }), addressPrefix: 0x41 };
  const app = createAdminServer({ sinks: sinks.control, abis, token: 'secret', sources: LOCAL_SOURCES, log: silent });
  const query = async (method: 'GET' | 'POST', url: string, payload?: object, token = 'secret') => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: reply.statusCode, body: reply.json() as unknown };
  };
  t.match(await query('GET', '/sinks', undefined, 'guess'), { status: 401 });
  const { name, type, path, topics } = file('second');
  t.match(await query('POST', '/sinks', { name, type, path, topics }), { status: 200, body: { added: 'second' } });
  t.match(await query('POST', '/sinks', { name, type, path, topics }), { status: 400, body: { error: /already/ } });
  t.match(await query('POST', '/sinks', { name: 'x', type: 'pigeon' }), {
    status: 400,
    body: { error: /must be one of/ },
  });
  t.match(await query('POST', '/sinks/nobody/pause'), {
    status: 400,
    body: { error: 'unknown sink nobody; existing sinks: first, second' },
  });
  const top = node.chain.solidifiedNumber;
  await until('the second sink', () => sinks.statuses.get('second')?.number === top);
  t.match(await query('POST', '/sinks/first/pause'), { status: 200 });
  await node.pushTo(120);
  await until('the second sink', () => sinks.statuses.get('second')?.number === node.chain.solidifiedNumber);
  t.match(await query('GET', '/sinks'), {
    body: [
      { name: 'first', isPaused: true, status: { number: top } },
      { name: 'second', isPaused: false },
    ],
  });
  t.match(await query('POST', '/sinks/second/filter', { fromBlock: -1 }), { status: 400 });
  const foreign = { name: 'foreign', type: 'ndjson', path: '../foreign.ndjson', topics: ['block'] };
  t.match(await query('POST', '/sinks', foreign), { status: 400, body: { error: /is outside of the data folder/ } });
  t.match(await query('POST', '/sinks/second/filter', { contractAddress: ['T'] }), { status: 400 });
  t.match(await query('POST', '/sinks/second/filter', { contractAddress: [TOKEN] }), { status: 200 });
  await sinks.close();
  const again = node.serve();
  t.match(again.control.list(), [
    { name: 'first', isPaused: true },
    { name: 'second', filter: { contractAddress: [TOKEN] } },
  ]);
  await again.control.resume('first');
  await until('the first sink', () => again.statuses.get('first')?.number === node.chain.solidifiedNumber);
  await again.control.remove('first');
  await again.close();
  t.same(linesOf(node.dataDir, 'first'), linesOf(node.dataDir, 'second'), 'a pause loses and repeats no record');
  t.equal(node.serve().control.list().length, 1);
});
