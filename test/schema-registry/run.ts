import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { loadConfig } from '../../src/config/load-config.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { type EventTrigger, TRIGGERS } from '../../src/streams/event-kinds.js';
import { Forwarder } from '../../src/streams/forwarding/forwarder.js';
import { PAYLOADS } from '../../src/streams/records/event-options.js';
import { KafkaSink } from '../../src/streams/sinks/kafka/kafka-sink.js';
import { readLines } from '../conformance/recording.js';
import { openRecorded } from '../conformance/replay-session.js';
import { EVENT_TIME_LIMITS } from '../support/event-timeout.js';
import { silent, temporaryFolder } from '../support/projections/chain.js';
import { Broker } from '../support/streams/broker.js';
import { type Consumed, consumeAll } from '../support/streams/consume.js';
import { decodeEvent, differences, jsonEvent } from '../support/streams/decode-event.js';
import { kafkaSink } from '../support/streams/sink-options.js';
import { golden } from '../support/tronicle.js';
import { RealRegistry } from './real-registry.js';

const client = fileURLToPath(new URL('./registry_client.py', import.meta.url));
const python = fileURLToPath(
  new URL('../../node_modules/.cache/tronicle-clients/registry/bin/python', import.meta.url),
);

/** Time limit of the whole test, in ms. It takes two minutes. */
t.setTimeout(600_000);

const registry = await RealRegistry.start(t);
const broker = await Broker.start();
t.teardown(() => broker.close());

/** Names of recordings. The first one has all contract types, the second one has events of smart contracts. */
const RECORDINGS = ['system-tour', 'tvm-forks-14-shanghai'];

/** Records of a sink without a registry, by trigger. */
type PlainRecords = ReadonlyMap<EventTrigger, readonly Consumed[]>;

/**
 * Forwards the records of a recording without a registry, and with one in each format. The prefix of the topics is
 * `plain-<recording>` or `<format>-<recording>`.
 */
async function forwardRecording(name: string): Promise<void> {
  const folder = join(golden, name);
  const dataDir = temporaryFolder(t);
  const chain = await openRecorded(folder, dataDir);
  const { ledger, state } = chain;
  for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz')))
    if (num > 0 && block !== undefined) chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
  await ledger.flush();
  const sink = (format: string, options: object): ReturnType<typeof kafkaSink> =>
    kafkaSink(broker.bootstrap, { name: format, prefix: `${format}-${name}`, topics: TRIGGERS, ...options });
  const forwarder = new Forwarder({
    ledger,
    dataDir,
    sinks: [sink('plain', {}), ...PAYLOADS.map((payload) => sink(payload, { payload, schemaRegistry: registry.url }))],
    addressPrefix: loadConfig({ file: join(folder, 'config.conf') }).config.addressPrefix,
    blackhole: state.rules.blackhole,
    parsesContracts: true,
    laterTriggers: false,
    log: silent,
  });
  await forwarder.close(EVENT_TIME_LIMITS);
  await ledger.close();
}

/** Returns the records of all topics with a prefix, by trigger. Each topic has one partition. */
async function consumedBy(prefix: string): Promise<PlainRecords> {
  const records = await consumeAll(
    broker.client(),
    TRIGGERS.map((trigger) => `${prefix}.${trigger}`),
  );
  const all = TRIGGERS.map(
    (trigger) => [trigger, records.filter(({ topic }) => topic === `${prefix}.${trigger}`)] as const,
  );
  return new Map(all.filter(([, { length }]) => length > 0));
}

/** Returns the events of the records by trigger, as text. The Python client decodes them. */
async function decodedByClient(prefix: string, payload: string, count: number): Promise<Map<string, string[]>> {
  const topics = TRIGGERS.map((trigger) => `${prefix}.${trigger}`);
  const args = [client, broker.bootstrap, registry.url, payload, String(count), ...topics];
  const { stdout } = await promisify(execFile)(python, args, { maxBuffer: 2 ** 30 });
  const events = new Map<string, string[]>();
  for (const line of stdout.trimEnd().split('\n')) {
    const [, trigger = '', event = ''] = /^\{"topic": "[\w-]+\.(\w+)", "event": (.*)\}$/.exec(line) ?? [];
    const list = events.get(trigger) ?? [];
    events.set(trigger, list);
    list.push(event);
  }
  return events;
}

/** Returns the first differences between plain records and the events that a client has decoded. */
function faultsOf(plain: PlainRecords, events: ReadonlyMap<string, readonly string[]>): string[] {
  const faults: string[] = [];
  for (const [trigger, records] of plain) {
    const decoded = events.get(trigger) ?? [];
    if (decoded.length !== records.length) faults.push(`${trigger}: ${decoded.length} of ${records.length} records`);
    for (const [at, { value }] of records.entries())
      faults.push(...differences(jsonEvent(value), jsonEvent(decoded[at] ?? 'null'), trigger));
  }
  return faults.slice(0, 5);
}

for (const name of RECORDINGS)
  t.test(`sends ${name} with the schemas of Apicurio Registry, and a client in Python decodes it`, async (t) => {
    await registry.requireCompatibility('BACKWARD');
    await forwardRecording(name);
    const plain = await consumedBy(`plain-${name}`);
    t.comment([...plain].map(([trigger, { length }]) => `${trigger} ${length}`).join(', '));
    const expected = PAYLOADS.flatMap((format) =>
      [...plain.keys()].map((trigger) => `${format}-${name}.${trigger}-value`),
    );
    const subjects = await registry.subjects();
    t.same(subjects.filter((subject) => subject.includes(name)).sort(), expected.sort());
    const count = [...plain.values()].reduce((sum, { length }) => sum + length, 0);
    for (const payload of ['avro', 'json'])
      t.same(faultsOf(plain, await decodedByClient(`${payload}-${name}`, payload, count)), [], payload);
    for (const [trigger, values] of await consumedBy(`protobuf-${name}`)) {
      t.equal(values.length, plain.get(trigger)?.length, trigger);
      t.same(await protobufFaults(values[0]!, plain.get(trigger)![0]!), [], trigger);
    }
  });

/** Returns the differences between a protobuf record and a plain one. The schema of the registry names the message. */
async function protobufFaults({ bytes, headers }: Consumed, plain: Consumed): Promise<string[]> {
  const { schemaType, schema } = await registry.schema(bytes.readUInt32BE(1));
  // One byte, because all indexes are below 64: 0 for the first message, otherwise the count 1 and the index.
  const index = bytes[5] === 0 ? 0 : bytes[6]! / 2;
  const message = `tronicle.events.v1.${[...schema.matchAll(/^message (\w+)/gm)][index]?.[1]}`;
  if (schemaType !== 'PROTOBUF' || message !== headers['schema']) return [`${schemaType} ${message}`];
  return differences(jsonEvent(plain.value), decodeEvent(message, bytes.subarray(index === 0 ? 6 : 7)));
}

t.test('a schema that is incompatible with the topic stops the sink', async (t) => {
  const fields = [{ name: 'timeStamp', type: 'boolean' }];
  await registry.register('taken.block-value', { type: 'record', name: 'Other', fields });
  const sink = new KafkaSink({
    sink: kafkaSink(broker.bootstrap, {
      prefix: 'taken',
      topics: ['block'],
      payload: 'avro',
      schemaRegistry: registry.url,
    }),
    checkpointFile: join(temporaryFolder(t), 'place.json'),
    folder: 'host:/data',
    log: silent,
  });
  await sink.open();
  t.teardown(() => sink.close());
  const schema = { format: 'avro', name: 'tronicle.events.v1.BlockEvent' } as const;
  const records = [{ trigger: 'block' as const, key: 'a', payload: Buffer.of(0), schema }];
  const block = { seq: 2, number: 1, id: '01'.repeat(32), parentId: '00'.repeat(32), readAt: 0, records };
  const message = /rejects the AVRO schema of taken\.block-value: 409 .*; change the compatibility of the subject/;
  await t.rejects(sink.write([block]), { code: 'SINK_REFUSED', message });
});
