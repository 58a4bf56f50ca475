import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
// This import is for the type checker. The program runs in a child process below.
import type {} from '../../../deploy/consumers/typescript/consume.js';
import { Continuity } from '../../../deploy/consumers/typescript/continuity.js';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import { silent } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { type Consumed, consumeAll } from '../../support/streams/consume.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// Tests the sample consumers. First tests the function that checks the headers, then the programs with a real broker.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const consumers = join(root, 'deploy/consumers');
const jars = join(root, 'test/support/kafka/target/jars');
const id = (height: number): string => String(height).padStart(64, '0');

/**
 * Returns the headers of record `index` of block `number`. `previous` is the position of the previous record in the
 * partition.
 */
function headers(number: number, index: number, previous?: readonly [number, number]): Record<string, string> {
  return {
    seq: String(number * 2),
    index: String(index),
    blockNum: String(number),
    blockId: id(number),
    parentId: id(number - 1),
    ...(previous && { prevSeq: String(previous[0] * 2), prevIndex: String(previous[1]) }),
  };
}
const part = (of: Record<string, string>, at: number, parts = 2): Record<string, string> => ({
  ...of,
  part: String(at),
  parts: String(parts),
});

const cases: readonly (readonly [
  name: string,
  sequence: readonly Record<string, string>[],
  problems: readonly RegExp[],
])[] = [
  ['consecutive records', [headers(1, 0), headers(1, 1, [1, 0]), headers(3, 0, [1, 1])], []],
  [
    'a missing record',
    [headers(1, 0), headers(3, 0, [1, 1])],
    [/gap: 6\/0 says that it follows 2\/1, but comes after 2\/0$/],
  ],
  ['a missing first record', [headers(3, 0, [1, 1])], [/says that it follows 2\/1, but comes after nothing$/]],
  ['a repetition', [headers(1, 0), headers(1, 0)], [/gap: 2\/0 says that it follows nothing, but comes after 2\/0$/]],
  [
    'another order',
    [headers(1, 0), headers(1, 2, [1, 1]), headers(1, 1, [1, 0])],
    [
      /gap: 2\/2 says that it follows 2\/1, but comes after 2\/0$/,
      /gap: 2\/1 says that it follows 2\/0, but comes after 2\/2$/,
    ],
  ],
  ['parts', [part(headers(1, 0), 0), part(headers(1, 0), 1), headers(1, 1, [1, 0])], []],
  ['a missing first part', [part(headers(1, 0), 1)], [/gap: 2\/0 part 1 of 2 comes after nothing$/]],
  ['a missing last part', [part(headers(1, 0), 0), headers(1, 1, [1, 0])], [/gap: 2\/1 comes after 2\/0 part 0 of 2$/]],
  [
    'a missing middle part',
    [part(headers(1, 0), 0, 3), part(headers(1, 0), 2, 3)],
    [/part 2 of 3 comes after 2\/0 part 0 of 3$/],
  ],
  ['an end within a value', [part(headers(1, 0), 0)], [/the topic ends after 2\/0 part 0 of 2$/]],
  [
    'a block with two ids',
    [headers(1, 0), { ...headers(1, 1, [1, 0]), blockId: id(9) }],
    [new RegExp(`block 1 is ${id(9)}, and was ${id(1)}$`)],
  ],
  [
    'a block on another parent',
    [headers(1, 0), { ...headers(2, 0, [1, 0]), parentId: id(9) }],
    [new RegExp(`block 2 follows ${id(9)}, but the block below it is ${id(1)}$`)],
  ],
  [
    'a stream of unsolidified blocks with a reverted block',
    [
      { ...headers(1, 0), change: 'applied' },
      { ...headers(1, 1, [1, 0]), blockId: id(9), change: 'reverted' },
    ],
    [],
  ],
  ['a record of another program', [{}], [/a record without block headers$/]],
];

t.test('reports gaps, duplicates and unfinished blocks in a sequence of records', async (t) => {
  for (const [name, sequence, expected] of cases) {
    const continuity = new Continuity();
    const problems = sequence.flatMap((each, at) =>
      continuity.check({ topic: 'x', partition: 0, offset: String(at), headers: each }),
    );
    t.match([...problems, ...continuity.unfinished()], expected, name);
    t.equal(problems.length + continuity.unfinished().length, expected.length, `${name}: number of problems`);
  }
});

/** Sample consumers that run with programs that the tests already need. */
const programs: Readonly<Record<string, readonly [command: string, args: readonly string[]]>> = {
  typescript: [process.execPath, ['--import', 'tsx', join(consumers, 'typescript/consume.ts')]],
  java: ['java', ['-cp', `${jars}/*`, join(consumers, 'java/Consume.java')]],
};

/**
 * Path of a Python with confluent-kafka: `TRONICLE_PYTHON=<program>`. Without it, the Python consumer is not tested.
 */
const python = process.env['TRONICLE_PYTHON'];
if (python !== undefined) Object.assign(programs, { python: [python, [join(consumers, 'python/consume.py')]] });

interface Result {
  readonly code: number | null;
  readonly lines: readonly string[];
}

function consume([command, args]: readonly [string, readonly string[]], ...rest: readonly string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, ...rest], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      // The test process may have Node options with loaders, which the child must not inherit.
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: text.trim().split('\n') }));
  });
}

/** Functions that damage the records of one partition. The first one changes nothing. */
const damages: readonly ((records: readonly Consumed[]) => readonly Consumed[])[] = [
  (records) => records,
  (records) => records.toSpliced(5, 1),
  (records) => records.toSpliced(5, 0, records[5]!),
  (records) => records.toSpliced(5, 2, records[6]!, records[5]!),
  (records) => records.filter(({ headers }) => headers['part'] !== '1'),
  (records) => records.slice(1),
];

t.test('the sample consumers accept complete output of a sink, and report every kind of damage', async (t) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const sink = new KafkaSink({
    sink: kafkaSink(broker.bootstrap, { partitions: 3 }),
    checkpointFile: join(temporaryFolder(t), 'place.json'),
    folder: 'host:/data',
    log: silent,
  });
  await sink.open();
  for (let number = 1; number <= 12; number++) await sink.write([block(number)]);
  await sink.close();

  const kafka = broker.client();
  const written = await consumeAll(kafka, ['tronicle.transaction']);
  // Damages copies of the partition that contains a record split into parts.
  const { partition } = written.find(({ headers }) => headers['part'] !== undefined)!;
  const records = written.filter((record) => record.partition === partition);
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: [
      { topic: 'damaged', numPartitions: damages.length },
      { topic: 'empty', numPartitions: 1 },
    ],
  });
  await admin.disconnect();
  const producer = kafka.producer();
  await producer.connect();
  for (const [at, damage] of damages.entries()) {
    const messages = damage(records).map(({ key, headers }) => ({ key, value: 'value', headers, partition: at }));
    await producer.send({ topic: 'damaged', messages });
  }
  await producer.disconnect();

  const lines = new Set<string>();
  for (const [name, program] of Object.entries(programs)) {
    const [whole, damaged, empty] = await Promise.all(
      ['tronicle.transaction', 'damaged', 'empty'].map((topic) => consume(program, broker.bootstrap, topic, '2')),
    );
    t.same(
      whole,
      { code: 0, lines: [`${written.length} records in 3 partitions, 0 problems`] },
      `${name} reads the output of the sink`,
    );
    t.equal(damaged!.code, 1, `${name} ends with 1 on a gap`);
    const places = new Set(damaged!.lines.slice(0, -1).map((line) => /^damaged\/(\d)@\d+: gap: /.exec(line)?.[1]));
    t.same([...places].sort(), ['1', '2', '3', '4', '5'], `${name} reports every damaged partition, and no other`);
    lines.add([...damaged!.lines].sort().join('\n'));
    t.equal(empty!.code, 2, `${name} reports an empty topic as an error`);
  }
  t.equal(lines.size, 1, 'all consumers print the same lines');
});

/** Returns a block with six records. Block 4 has a record that is split into parts. */
function block(number: number): BlockRecords {
  const records = Array.from({ length: 6 }, (_, at) => ({
    trigger: 'transaction' as const,
    key: `${number} ${at}`,
    payload: number === 4 && at === 3 ? `"${'x'.repeat(2_500_000)}"` : `${number}`,
  }));
  return { seq: number * 2, number, id: id(number), parentId: id(number - 1), readAt: 0, records };
}
