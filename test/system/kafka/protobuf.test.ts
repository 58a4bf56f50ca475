import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import t from 'tap';
import { loadConfig } from '../../../src/config/load-config.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { type EventTrigger, TRIGGERS } from '../../../src/streams/event-kinds.js';
import { logMoves } from '../../../src/streams/follow/log-moves.js';
import { solidifiedBlocks } from '../../../src/streams/follow/solid-blocks.js';
import { Forwarder } from '../../../src/streams/forwarding/forwarder.js';
import { AbiRegistry } from '../../../src/streams/records/abi-registry.js';
import { avroSchemaOf } from '../../../src/streams/records/avro/avro-schema.js';
import { jsonOf } from '../../../src/streams/records/event-json.js';
import { type EventOptions, PAYLOADS } from '../../../src/streams/records/event-options.js';
import type { BlockRecords, EventRecord } from '../../../src/streams/records/event-record.js';
import { PrintedJson } from '../../../src/streams/records/event-value.js';
import { toEventMessage } from '../../../src/streams/records/protobuf/event-messages.js';
import { eventMessages } from '../../../src/streams/records/protobuf/event-types.js';
import { RecordMaker } from '../../../src/streams/records/record-maker.js';
import { asyncApiDocument } from '../../../src/streams/sinks/kafka/async-api.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { EVENT_TIME_LIMITS } from '../../support/event-timeout.js';
import { eachItem } from '../../support/log/each-item.js';
import { silent, temporaryFolder } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { consumeAll } from '../../support/streams/consume.js';
import { decodeAvro, decodeEvent, differences, jsonEvent } from '../../support/streams/decode-event.js';
import { extremeBalance } from '../../support/streams/extreme-balance.js';
import { openChain } from '../../support/streams/genesis.js';
import { mainNetSink } from '../../support/streams/main-net-sink.js';
import { RegistryServer } from '../../support/streams/registry-server.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';
import { golden } from '../../support/tronicle.js';

/**
 * Names of recordings. The first one has contracts, tokens and internal transactions. The second one has stake, votes
 * and permissions.
 */
const RECORDINGS = ['tvm-forks-14-shanghai', 'stake'];

/** Decodes a record in a binary format. */
function decoded({ trigger, schema, payload }: EventRecord): unknown {
  if (schema?.format !== 'avro') return decodeEvent(schema?.name ?? '', payload as Uint8Array);
  return decodeAvro(avroSchema(trigger as EventTrigger), payload as Uint8Array);
}

const avroSchemas = new Map(TRIGGERS.map((trigger) => [trigger, avroSchemaOf(trigger)]));
const avroSchema = (trigger: EventTrigger): object => avroSchemas.get(trigger)!;

for (const name of RECORDINGS) {
  t.test(`encodes ${name} in protobuf and Avro field by field like in JSON`, async (t) => {
    const folder = join(golden, name);
    const dataDir = temporaryFolder(t);
    const chain = await openRecorded(folder, dataDir);
    t.teardown(() => chain.ledger.close());
    for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz')))
      if (num > 0 && block !== undefined) chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
    await chain.ledger.flush();
    const kinds = new Map<string, number>();
    const wrong: string[] = [];
    const compare = (json: BlockRecords, message: BlockRecords): void => {
      for (const [at, { trigger, key, payload }] of json.records.entries()) {
        const other = message.records[at]!;
        kinds.set(trigger, (kinds.get(trigger) ?? 0) + 1);
        if (other.key !== key || other.trigger !== trigger) wrong.push(`another record than ${trigger} ${key}`);
        wrong.push(...differences(jsonEvent(payload as string), decoded(other), `${other.schema?.format} ${trigger}`));
      }
      if (json.records.length !== message.records.length) wrong.push(`another number of records in ${json.number}`);
    };
    const { ledger } = chain;
    const { addressPrefix } = loadConfig({ file: join(folder, 'config.conf') }).config;
    const { blackhole } = chain.state.rules;
    const book = new AbiRegistry(ledger, dataDir);
    const maker = (payload: EventOptions['payload'], ethCompatible: boolean): RecordMaker => {
      const sink = { ...kafkaSink('unused:1'), topics: TRIGGERS, payload, ethCompatible };
      // Uses the format of release 4.8.2, because it has additional fields.
      return new RecordMaker({
        ledger,
        sink,
        book,
        addressPrefix,
        blackhole,
        parsesContracts: true,
        laterTriggers: ethCompatible,
      });
    };
    const makers = (ethCompatible: boolean): RecordMaker[] => PAYLOADS.map((payload) => maker(payload, ethCompatible));
    const [json, ...others] = makers(false);
    for await (const block of eachItem(solidifiedBlocks({ ledger, follow: false }))) {
      const expected = json!.recordsOf(block);
      for (const other of others) compare(expected, other.recordsOf(block));
    }
    await book.close();
    const [ethJson, ...ethOthers] = makers(true);
    let moves = 0;
    for await (const move of eachItem(logMoves({ ledger, follow: false }))) {
      if (moves++ === 200) break;
      const expected = ethJson!.recordsOfMove(move);
      for (const other of ethOthers) compare(expected, other.recordsOfMove(move));
    }
    t.same(wrong.slice(0, 5), []);
    t.comment(JSON.stringify(Object.fromEntries(kinds)));
    t.ok([...kinds.values()].reduce((sum, count) => sum + count, 0) > 1000);
    const expected = name === 'stake' ? ['vote', 'permission', 'delegate'] : ['contractevent', 'contractlog'];
    for (const kind of expected) t.ok((kinds.get(kind) ?? 0) > 0, `there are records of ${kind}`);
  });
}

t.test('encodes the largest numbers, any text and missing values', async (t) => {
  const { schema, payload } = toEventMessage('balance', extremeBalance);
  t.same(schema, { format: 'protobuf', name: 'tronicle.events.v1.BalanceEvent' });
  t.same(differences(jsonEvent(jsonOf(extremeBalance)), decodeEvent(schema.name, payload)), []);
  const printed = (text: string): PrintedJson => new PrintedJson(text);
  const parts = {
    timeStamp: 1n,
    triggerName: 'permissionTrigger',
    blockNumber: 1,
    blockHash: '',
    removed: true,
    address: 'T',
    before: { owner: null, witness: null, active: [] },
    after: {
      owner: printed('{"permission_name": "","threshold": 0}'),
      witness: null,
      active: [printed('{"type": "Active","keys": [{"address": "T","weight": 1}]}')],
    },
  };
  const permission = toEventMessage('permission', parts);
  t.same(differences(jsonEvent(jsonOf(parts)), decodeEvent(permission.schema.name, permission.payload)), []);
  t.throws(() => toEventMessage('solidity', { timeStamp: 1, new: 2 }), /has no field for new/);
  t.throws(() => toEventMessage('solidity', { timeStamp: '1' }), TypeError);
  const cut = { ...parts, after: { ...parts.after, owner: printed('{"permission_name": "') } };
  t.throws(() => toEventMessage('permission', cut), SyntaxError);
});

t.test('supports binary formats only in Kafka', async (t) => {
  const sink = { name: 'a', topics: ['block'], bootstrap: 'b:1', schemaRegistry: 'http://r:1' };
  for (const payload of ['protobuf', 'avro']) {
    t.equal(mainNetSink({ ...sink, payload, type: 'kafka' }).payload, payload);
    for (const type of ['ndjson', 'stdout', 'zeromq'])
      t.throws(() => mainNetSink({ ...sink, payload, type }), {
        message: new RegExp(`${payload} is supported only by sinks of type kafka`),
      });
  }
});

/** Returns the schema of a registration. Parses each one once, because `decodeAvro` caches types by schema. */
function registeredAvro(registration: { readonly schema: string }): object {
  const schema = parsedSchemas.get(registration) ?? (JSON.parse(registration.schema) as object);
  parsedSchemas.set(registration, schema);
  return schema;
}

const parsedSchemas = new WeakMap<object, object>();

/** Validators for the headers of a record, built from the AsyncAPI document. */
const ajv = new Ajv({ strict: false, formats: { int64: true } }).addSchema(asyncApiDocument(), 'document');
const headersOf = (trigger: string, payload: string): ValidateFunction =>
  ajv.getSchema(`document#/components/messages/${trigger}.${payload}/headers`)!;

t.test('uses the same keys, headers and order as for JSON, and names the message in a header', async (t) => {
  const broker = await Broker.start();
  t.teardown(() => broker.close());
  const dataDir = temporaryFolder(t);
  const ledger = await openChain(dataDir);
  for (let number = 1; number <= 30; number++) appendTransfers(ledger, { solidified: number });
  await ledger.flush();
  const registry = await RegistryServer.start(t, 7);
  const sinks = PAYLOADS.map((payload) =>
    kafkaSink(broker.bootstrap, {
      name: payload,
      prefix: payload,
      payload,
      topics: ['block', 'transaction'],
      partitions: 2,
      ...(payload === 'avro' && { schemaRegistry: `http://127.0.0.1:${registry.port}` }),
    }),
  );
  const forwarder = new Forwarder({
    ledger,
    dataDir,
    sinks,
    addressPrefix: 0x41,
    blackhole: '',
    parsesContracts: true,
    laterTriggers: false,
    log: silent,
  });
  await forwarder.close(EVENT_TIME_LIMITS);
  await ledger.close();
  for (const trigger of ['block', 'transaction'] as const) {
    const json = await consumeAll(broker.client(), [`json.${trigger}`]);
    const message = await consumeAll(broker.client(), [`protobuf.${trigger}`]);
    const avro = await consumeAll(broker.client(), [`avro.${trigger}`]);
    const positionOf = ({ partition, key, headers }: (typeof json)[number]): object => {
      const { schema: _schema, 'content-type': _type, ...others } = headers;
      return { partition, key, others };
    };
    const byPartition = (a: { partition: number }, b: { partition: number }): number => a.partition - b.partition;
    const positions = json.sort(byPartition).map(positionOf);
    for (const records of [message, avro]) t.same(records.sort(byPartition).map(positionOf), positions);
    t.ok(json.length >= 31);
    for (const { headers } of json)
      t.match(headers, { schema: `tronicle/${trigger}/v1`, 'content-type': 'application/json' });
    for (const [payload, records] of [
      ['json', json],
      ['protobuf', message],
      ['avro', avro],
    ] as const) {
      const validate = headersOf(trigger, payload);
      for (const { headers } of records) t.ok(validate(headers), JSON.stringify(validate.errors));
      t.notOk(validate({ ...records[0]!.headers, schema: 'other' }), 'another schema is invalid');
    }
    for (const { headers } of message)
      t.match(headers, { schema: /^tronicle\.events\.v1\./, 'content-type': 'application/x-protobuf' });
    for (const [at, { headers, bytes }] of message.entries())
      t.same(differences(jsonEvent(json[at]!.value), decodeEvent(headers['schema']!, bytes)), []);
    const schema = registry.registrations.find(({ subject }) => subject === `avro.${trigger}-value`)!;
    for (const [at, { headers, bytes }] of avro.entries()) {
      t.match(headers, { schema: `tronicle.events.v1.${eventMessages[trigger]}`, 'content-type': 'application/avro' });
      t.match(bytes.subarray(0, 5).toString('hex'), /^000000000[78]$/);
      t.same(differences(jsonEvent(json[at]!.value), decodeAvro(registeredAvro(schema), bytes.subarray(5))), []);
    }
  }
});
