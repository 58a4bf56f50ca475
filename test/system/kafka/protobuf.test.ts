import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import t from 'tap';
import { loadConfig } from '../../../src/config/load-config.js';
import { sinkFromJson } from '../../../src/config/rows/sink-rows.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { TRIGGERS } from '../../../src/streams/event-kinds.js';
import { logMoves } from '../../../src/streams/follow/log-moves.js';
import { solidifiedBlocks } from '../../../src/streams/follow/solid-blocks.js';
import { Forwarder } from '../../../src/streams/forwarding/forwarder.js';
import { AbiRegistry } from '../../../src/streams/records/abi-registry.js';
import { jsonOf } from '../../../src/streams/records/event-json.js';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { PrintedJson } from '../../../src/streams/records/event-value.js';
import { toEventMessage } from '../../../src/streams/records/protobuf/event-messages.js';
import { RecordMaker } from '../../../src/streams/records/record-maker.js';
import { asyncApiDocument } from '../../../src/streams/sinks/kafka/async-api.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { EVENT_TIME_LIMITS } from '../../support/event-timeout.js';
import { eachItem } from '../../support/log/each-item.js';
import { silent, temporaryFolder } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { consumeAll } from '../../support/streams/consume.js';
import { decodeEvent, differences, jsonEvent } from '../../support/streams/decode-event.js';
import { openChain } from '../../support/streams/genesis.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';
import { golden } from '../../support/tronicle.js';

/**
 * Names of recordings. The first one has contracts, tokens and internal transactions. The second one has stake, votes
 * and permissions.
 */
const RECORDINGS = ['tvm-forks-14-shanghai', 'stake'];

for (const name of RECORDINGS) {
  t.test(`encodes ${name} in protobuf field by field like in JSON`, async (t) => {
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
        const event = decodeEvent(other.schema ?? '', other.payload as Uint8Array);
        wrong.push(...differences(jsonEvent(payload as string), event, trigger));
      }
      if (json.records.length !== message.records.length) wrong.push(`another number of records in ${json.number}`);
    };
    const { ledger } = chain;
    const { addressPrefix } = loadConfig({ file: join(folder, 'config.conf') }).config;
    const { blackhole } = chain.state.rules;
    const book = new AbiRegistry(ledger, dataDir);
    const maker = (payload: 'json' | 'protobuf', ethCompatible: boolean): RecordMaker => {
      const sink = { ...kafkaSink('unused:1'), topics: TRIGGERS, payload, ethCompatible };
      // Uses the format of later releases, because it has additional fields.
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
    const [json, message] = [maker('json', false), maker('protobuf', false)];
    for await (const block of eachItem(solidifiedBlocks({ ledger, follow: false })))
      compare(json.recordsOf(block), message.recordsOf(block));
    await book.close();
    const [ethJson, ethMessage] = [maker('json', true), maker('protobuf', true)];
    let moves = 0;
    for await (const move of eachItem(logMoves({ ledger, follow: false }))) {
      if (moves++ === 200) break;
      compare(ethJson.recordsOfMove(move), ethMessage.recordsOfMove(move));
    }
    t.same(wrong.slice(0, 5), []);
    t.comment(JSON.stringify(Object.fromEntries(kinds)));
    t.ok([...kinds.values()].reduce((sum, count) => sum + count, 0) > 1000);
    const expected = name === 'stake' ? ['vote', 'permission', 'delegate'] : ['contractevent', 'contractlog'];
    for (const kind of expected) t.ok((kinds.get(kind) ?? 0) > 0, `there are records of ${kind}`);
  });
}

t.test('encodes the largest numbers, any text and missing values', async (t) => {
  const event = {
    timeStamp: 9223372036854775807n,
    triggerName: 'balanceTrigger',
    blockNumber: 9007199254740993n,
    blockHash: Uint8Array.of(0, 0xff),
    removed: false,
    address: '\u0001 "quoted\\" ü 😀 \\',
    before: -9223372036854775808n,
    after: 0n,
  };
  const { schema, bytes } = toEventMessage('balance', event);
  t.equal(schema, 'tronicle.events.v1.BalanceEvent');
  t.same(differences(jsonEvent(jsonOf(event)), decodeEvent(schema, bytes)), []);
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
  t.same(differences(jsonEvent(jsonOf(parts)), decodeEvent(permission.schema, permission.bytes)), []);
  t.throws(() => toEventMessage('solidity', { timeStamp: 1, new: 2 }), /has no field for new/);
  t.throws(() => toEventMessage('solidity', { timeStamp: '1' }), TypeError);
  const cut = { ...parts, after: { ...parts.after, owner: printed('{"permission_name": "') } };
  t.throws(() => toEventMessage('permission', cut), SyntaxError);
});

t.test('supports protobuf only in Kafka', async (t) => {
  const sink = { name: 'a', topics: ['block'], payload: 'protobuf', bootstrap: 'b:1' };
  t.equal(sinkFromJson({ ...sink, type: 'kafka' }).payload, 'protobuf');
  for (const type of ['ndjson', 'stdout', 'zeromq'])
    t.throws(() => sinkFromJson({ ...sink, type }), { message: /protobuf is supported only by sinks of type kafka/ });
});

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
  const sinks = (['json', 'protobuf'] as const).map((payload) =>
    kafkaSink(broker.bootstrap, {
      name: payload,
      prefix: payload,
      payload,
      topics: ['block', 'transaction'],
      partitions: 2,
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
  for (const trigger of ['block', 'transaction']) {
    const json = await consumeAll(broker.client(), [`json.${trigger}`]);
    const message = await consumeAll(broker.client(), [`protobuf.${trigger}`]);
    const positionOf = ({ partition, key, headers }: (typeof json)[number]): object => {
      const { schema: _schema, 'content-type': _type, ...others } = headers;
      return { partition, key, others };
    };
    const byPartition = (a: { partition: number }, b: { partition: number }): number => a.partition - b.partition;
    t.same(message.sort(byPartition).map(positionOf), json.sort(byPartition).map(positionOf));
    t.ok(json.length >= 31);
    for (const { headers } of json)
      t.match(headers, { schema: `tronicle/${trigger}/v1`, 'content-type': 'application/json' });
    for (const [payload, records] of [
      ['json', json],
      ['protobuf', message],
    ] as const) {
      const validate = headersOf(trigger, payload);
      for (const { headers } of records) t.ok(validate(headers), JSON.stringify(validate.errors));
      t.notOk(validate({ ...records[0]!.headers, schema: 'other' }), 'another schema is invalid');
    }
    for (const { headers } of message)
      t.match(headers, { schema: /^tronicle\.events\.v1\./, 'content-type': 'application/x-protobuf' });
    for (const [at, { headers, bytes }] of message.entries())
      t.same(differences(jsonEvent(json[at]!.value), decodeEvent(headers['schema']!, bytes)), []);
  }
});
