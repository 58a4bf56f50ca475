import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { addressText } from '../../../src/encoding/address-text.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import { seeded, silent, temporaryFolder } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { PostgresServer } from '../../support/streams/postgres-server.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { until, untilServed } from '../../support/until.js';

// Runs the Go consumer of deploy/consumers/go with a real broker and a real database. Only this file uses them.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const program = join(root, 'node_modules/.cache/tronicle-clients/deposits');
// Takes about a second, because `prepare.mjs` has already built the program with the same options. Takes longer after a
// change of the program.
execFileSync('go', ['build', '-o', program, '.'], {
  cwd: join(root, 'deploy/consumers/go'),
  env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOTOOLCHAIN: 'auto' },
});

const [broker, server] = await Promise.all([Broker.start(), PostgresServer.start()]);
t.teardown(() => Promise.all([broker.close(), server.close()]));

const KILLS = 6;
/** Number of blocks per write. Even a fast consumer needs longer to read them than the test waits before a kill. */
const BLOCKS_PER_WRITE = 100;
const SEED = Number(process.env['TRONICLE_SEED'] ?? 7);
const addresses = Array.from({ length: 10 }, (_, at) => addressText(fromHex(`41${String(at).padStart(40, '0')}`)));
const watched = addresses.slice(0, 3);
const kinds = ['transfer', 'call', 'internal', 'self-destruct', 'event', 'fee', 'reward'];

interface Transfer {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly index: number;
  readonly kind: string;
  readonly token: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: string;
  readonly finality: string;
  readonly removed: boolean;
}

interface BlockForm {
  readonly branch?: number;
  readonly change?: BlockRecords['change'];
  readonly finality?: 'applied' | 'solidified';
  readonly seq?: number;
}

function transfersOf(number: number, { branch = 0, change, finality = 'solidified' }: BlockForm = {}): Transfer[] {
  const pick = seeded(number);
  const one = <T>(list: readonly T[]): T => list[pick(list.length)]!;
  return Array.from({ length: 20 }, (_, index) => ({
    blockNumber: number,
    blockHash: id(number, branch),
    index,
    kind: one(kinds),
    token: one(['TRX', 'TRX', '1000001']),
    from: one([...addresses, null]),
    to: one([...watched, ...addresses, null]),
    amount: `${number}${'0'.repeat(index * 3)}${branch}`,
    finality,
    removed: change === 'reverted',
  }));
}

function id(number: number, branch = 0): string {
  return `${branch}${String(number).padStart(63, '0')}`;
}

function block(number: number, form: BlockForm = {}): BlockRecords {
  const records = transfersOf(number, form).map((transfer) => ({
    trigger: 'transfer' as const,
    key: transfer.to ?? transfer.token,
    payload: JSON.stringify({ ...transfer, timeStamp: number * 3000, transactionId: id(9), standard: 'TRX' }),
  }));
  const { branch, change, seq = number } = form;
  const blockId = id(number, branch);
  return { seq, number, id: blockId, parentId: id(number - 1), readAt: 0, records, ...(change && { change }) };
}

/** Returns the expected deposits by the documented rule, in the format of {@link depositsIn}. */
function expectedOf(transfers: readonly Transfer[]): string[] {
  return transfers
    .filter(({ kind, token, from, to }) => {
      return token === 'TRX' && kind !== 'fee' && kind !== 'reward' && from !== to && watched.includes(to ?? '');
    })
    .map(({ blockHash, index, from, to, amount, finality }) => [blockHash, index, from, to, amount, finality].join())
    .sort();
}

async function depositsIn(schema: string): Promise<string[]> {
  const rows = await server.query<{ line: string }>(
    `select concat_ws(',', block_hash, transfer_index, coalesce(from_address, ''), to_address, amount, finality) as line
     from ${schema}.deposits`,
  );
  return rows.map(({ line }) => line).sort();
}

async function numberOf(sql: string): Promise<number> {
  const [row] = await server.query<{ number: number }>(`select (${sql})::integer as number`);
  return row!.number;
}

async function openSink(t: Test, prefix: string, partitions = 1): Promise<KafkaSink> {
  const sink = new KafkaSink({
    sink: kafkaSink(broker.bootstrap, { name: prefix, prefix, partitions, topics: ['transfer'] }),
    checkpointFile: join(temporaryFolder(t), 'place.json'),
    folder: 'host:/data',
    log: silent,
  });
  t.teardown(() => sink.close());
  // Tries again until the sink is open, because the group coordinator of a new broker may not be available yet.
  await untilServed('the sink', async () => {
    await sink.open();
    return true;
  });
  return sink;
}

interface Running {
  readonly process: ChildProcess;
  /** Resolves when the consumer knows its positions. Rejects if the consumer ends before. */
  readonly reads: Promise<void>;
  readonly exit: Promise<Exit>;
}

interface Exit {
  readonly code: number | null;
  readonly errors: string;
}

function start(t: Test, topic: string, schema: string, ...options: readonly string[]): Running {
  const database = `${server.url()}?search_path=${schema}`;
  const programOptions = ['-bootstrap', broker.bootstrap, '-topic', topic, '-database', database];
  const child = spawn(program, [...programOptions, '-addresses', watched.join(), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exit = new Promise<Exit>((resolve) => child.once('close', (code) => resolve({ code, errors })));
  const reads = new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('close', () => reject(new Error(`the consumer ended: ${errors}`)));
  });
  // Most tests do not wait for this promise, so its rejection must be handled here.
  reads.catch(() => undefined);
  return { process: child, reads, exit };
}

t.test(
  `each deposit is in the database once, after ${KILLS} kills of the consumer and one of the database`,
  async (t) => {
    t.comment(`TRONICLE_SEED=${SEED}`);
    const random = seeded(SEED);
    const topic = 'kills.transfer';
    const small = ['-batch', '2'];
    const transfers: Transfer[] = [];
    let height = 0;
    const sink = await openSink(t, 'kills', 3);
    await server.query('create schema kills');
    const first = start(t, topic, 'kills', ...small);
    await first.reads;
    first.process.kill('SIGKILL');
    // A database trigger counts all written rows, because the primary key hides repeated rows.
    await server.query('create table kills.rows_written (number integer)');
    await server.query(
      `create function kills.count_row() returns trigger language plpgsql as
     'begin insert into kills.rows_written values (1); return new; end'`,
    );
    await server.query(
      'create trigger count_row before insert on kills.deposits for each row execute function kills.count_row()',
    );
    await writeAborted(topic);
    const write = async (): Promise<void> => {
      const numbers = Array.from({ length: BLOCKS_PER_WRITE }, () => ++height);
      transfers.push(...numbers.flatMap((number) => transfersOf(number)));
      await sink.write(numbers.map((number) => block(number)));
    };
    await write();
    const offsets = 'select coalesce(sum(next_offset), 0) from kills.deposit_positions';
    const newestBlock = `select max(nullif(seq, '')::integer) from kills.deposit_positions`;
    let hits = 0;
    for (let kill = 0; kill <= KILLS; kill++) {
      const [before] = await Promise.all([numberOf(offsets), write()]);
      const { process, exit } = start(t, topic, 'kills', ...small);
      await until('the first batch', async () => {
        if (process.exitCode !== null) throw new Error(`the consumer ended: ${(await exit).errors}`);
        return (await numberOf(offsets)) > before;
      });
      await sleep(random(60));
      if (kill === KILLS / 2) {
        await server.kill();
        t.match(await exit, { code: 2 }, 'the consumer exits if the database is unavailable');
        await server.restart();
        continue;
      }
      process.kill('SIGKILL');
      await exit;
      if ((await numberOf(newestBlock)) < height) hits++;
    }
    t.ok(2 * hits >= KILLS, `${hits} of ${KILLS} kills found records that were not read`);
    const expected = expectedOf(transfers);
    t.ok(expected.length > 500);
    const last = start(t, topic, 'kills');
    const isComplete = async () => (await numberOf('select count(*) from kills.deposits')) === expected.length;
    await until('the last deposit', isComplete);
    t.strictSame(await depositsIn('kills'), expected);
    t.equal(await numberOf('select count(*) from kills.rows_written'), expected.length, 'no row was written again');

    // Deletes the stored positions, so the next consumer reads all records again.
    last.process.kill('SIGTERM');
    t.match(await last.exit, { code: 0 });
    const positions = 'select partition, next_offset, seq, index from kills.deposit_positions order by partition';
    const end = await server.query(positions);
    await server.query('delete from kills.deposit_positions');
    start(t, topic, 'kills');
    await until(
      'the same positions',
      async () => JSON.stringify(await server.query(positions)) === JSON.stringify(end),
    );
    t.strictSame(await depositsIn('kills'), expected, 'a repetition changes nothing');
    t.equal(await numberOf('select count(*) from kills.rows_written'), 2 * expected.length);
  },
);

/** Sends a record in a Kafka transaction, and aborts the transaction. */
async function writeAborted(topic: string): Promise<void> {
  const producer = broker.client().producer({ transactionalId: 'aborted', maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: [0, 1, 2].map((partition) => ({ value: 'aborted', partition })) });
  await transaction.abort();
  await producer.disconnect();
}

t.test('deletes deposits of reverted blocks, and stores the finality', async (t) => {
  await server.query('create schema finality');
  const applied = await openSink(t, 'applied');
  const finality = 'applied';
  await applied.write([block(1, { finality, change: 'applied', seq: 1 })]);
  await start(t, 'applied.transfer', 'finality').reads;
  const [wrong, right] = [0, 1].map((branch) => expectedOf(transfersOf(1, { finality, branch }))) as [
    string[],
    string[],
  ];
  const isStored = (expected: readonly string[]) => async () => `${await depositsIn('finality')}` === `${expected}`;
  t.not(`${wrong}`, `${right}`);
  await until('the applied block', isStored(wrong));
  await applied.write([
    block(1, { finality, change: 'reverted', seq: 2 }),
    block(1, { finality, change: 'applied', seq: 3, branch: 1 }),
  ]);
  await until('the other block', isStored(right));

  const solidified = await openSink(t, 'solidified');
  await solidified.write([block(1, { branch: 1 })]);
  start(t, 'solidified.transfer', 'finality');
  await until('the solidified block', isStored(expectedOf(transfersOf(1, { branch: 1 }))));
});

t.test('a second consumer of the topic exits with an error', async (t) => {
  await server.query('create schema two');
  const sink = await openSink(t, 'two');
  const both = [1, 2].map(() => start(t, 'two.transfer', 'two'));
  await Promise.all(both.map(({ reads }) => reads));
  await sink.write([block(1)]);
  const ended = await Promise.race(both.map(({ exit }) => exit));
  t.match(ended, { code: 2, errors: /another process writes the deposits of this topic/ });
  t.strictSame(await depositsIn('two'), expectedOf(transfersOf(1)));
});

const value = JSON.stringify({ ...transfersOf(1)[0], timeStamp: 0, standard: 'TRX' });
const headers = { 'content-type': 'application/json', seq: '1', index: '0' };
const linked = { ...headers, seq: '2', prevSeq: '1', prevIndex: '0' };
const deposit = { kind: 'transfer', token: 'TRX', from: addresses[9], to: watched[0] };

const faults: Record<string, readonly [code: number, message: RegExp, record: object]> = {
  'a missing record': [
    1,
    /follows 1\/5, but the newest record here is 1\/0/,
    { headers: { ...linked, prevIndex: '5' } },
  ],
  protobuf: [1, /payload = json/, { headers: { ...linked, 'content-type': 'application/x-protobuf' } }],
  'a part': [1, /payload = json/, { headers: { ...linked, part: '0', parts: '2' } }],
  'another schema': [1, /tronicle\/transfer\/v2/, { headers: { ...linked, schema: 'tronicle/transfer/v2' } }],
  'another topic': [1, /the value is no transfer/, { value: 'x' }],
  'no finality': [1, /the finality is ""/, { value: '{}' }],
  'a value that the database refuses': [
    2,
    /numeric/,
    { value: JSON.stringify({ ...JSON.parse(value), ...deposit, amount: 'x' }) },
  ],
};

t.test('writes no row of a batch with an unreadable record', async (t) => {
  await server.query('create schema faults');
  const admin = broker.client().admin();
  const producer = broker.client().producer();
  await Promise.all([admin.connect(), producer.connect()]);
  const topics = Object.keys(faults).map((_, at) => `fault${at}`);
  await admin.createTopics({ waitForLeaders: true, topics: topics.map((topic) => ({ topic, numPartitions: 1 })) });
  for (const [at, [name, [code, message, record]]] of Object.entries(faults).entries()) {
    const topic = `fault${at}`;
    const good = { value: JSON.stringify({ ...JSON.parse(value), ...deposit, blockHash: name }), headers };
    await producer.send({ topic, messages: [good, { value, headers: linked, ...record }] });
    t.match(await start(t, topic, 'faults').exit, { code, errors: message }, name);
  }
  t.strictSame(await depositsIn('faults'), []);
  await server.query(`update faults.deposit_positions set next_offset = 9, seq = '1', index = '0'`);
  t.match(await start(t, 'fault0', 'faults').exit, { code: 1, errors: /no longer has the stored offset/ });
  t.match(await start(t, 'missing', 'faults').exit, { code: 2, errors: /the topic missing cannot be read/ });
  const mistyped = `${addresses[0]!.slice(0, -1)}x`;
  t.match(await start(t, 'fault0', 'faults', '-addresses', mistyped).exit, { code: 2, errors: /is no address/ });
  await Promise.all([admin.disconnect(), producer.disconnect()]);
});
