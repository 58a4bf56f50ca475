import t from 'tap';
import type { EventTrigger } from '../../../../../src/streams/event-kinds.js';
import { avroSchemaOf } from '../../../../../src/streams/records/avro/avro-schema.js';
import { toAvroValue } from '../../../../../src/streams/records/avro/avro-value.js';
import { jsonOf } from '../../../../../src/streams/records/event-json.js';
import { type EventObject, PrintedJson } from '../../../../../src/streams/records/event-value.js';
import { decodeAvro, differences, jsonEvent } from '../../../../support/streams/decode-event.js';
import { extremeBalance } from '../../../../support/streams/extreme-balance.js';

const lengthOf = (text: string): string => String.fromCharCode(2 * text.length);

/** Returns the differences between the event in JSON and the decoded event in Avro. */
function faults(trigger: EventTrigger, event: EventObject): string[] {
  return differences(jsonEvent(jsonOf(event)), decodeAvro(avroSchemaOf(trigger), toAvroValue(trigger, event).payload));
}

const solidity = { timeStamp: 27, triggerName: 'foo', latestSolidifiedBlockNumber: -64n };

// Source: Avro specification, "Records" (27 and "foo") and "Primitive Types" (-64).
t.test('encodes the examples of the specification', async (t) => {
  const { schema, payload } = toAvroValue('solidity', solidity);
  t.same(schema, { format: 'avro', name: 'tronicle.events.v1.SolidityEvent' });
  t.equal(Buffer.from(payload).toString('hex'), '3606666f6f7f');
});

t.test('encodes the largest numbers, any text and missing values', async (t) => {
  t.same(faults('balance', extremeBalance), []);
  t.same(faults('block', { ...block, removed: true }), []);
  t.same(faults('block', { ...block, removed: undefined }), []);
  const text = '{"type": "Active","id": 9007199254740993,"keys": [{"address": "T","weight": 1}]}';
  const permission = {
    ...{ timeStamp: 1n, triggerName: 'permissionTrigger', blockNumber: 1, blockHash: '', removed: true, address: 'T' },
    before: { owner: null, witness: null, active: [] },
    after: { owner: new PrintedJson(text), witness: null, active: [new PrintedJson(text)] },
  };
  t.same(faults('permission', permission), []);
});

const block = {
  ...{ timeStamp: 1, triggerName: 'blockTrigger', blockNumber: 1, blockHash: '00', transactionSize: 2 },
  ...{ latestSolidifiedBlockNumber: 1, transactionList: ['aa', 'bb'] },
};

t.test('keeps any name of an event parameter', async (t) => {
  const topicMap = new Map([
    ['1', 'position'],
    ['__proto__', 'named'],
    ['', 'nameless'],
  ]);
  const event = {
    ...{ timeStamp: 1, triggerName: 'contractEventTrigger', uniqueId: 'u', transactionId: '', contractAddress: 'T' },
    ...{ callerAddress: '', originAddress: '', creatorAddress: '', blockNumber: 1, blockHash: '', removed: false },
    ...{ latestSolidifiedBlockNumber: 1, logInfo: null, rawData: { address: '', topics: [], data: '' }, abi: null },
    ...{ eventSignature: '', eventSignatureFull: '', eventName: 'E', topicMap, dataMap: new Map() },
  };
  const { payload } = toAvroValue('contractevent', event);
  // An Avro map is a block of entries: their number, and then each name and value after its length. The decoder of the
  // library omits the name `__proto__`, so the test compares the bytes.
  const entries = [...topicMap].map(([name, value]) => `${lengthOf(name)}${name}${lengthOf(value)}${value}`);
  t.ok(Buffer.from(payload).includes(`\u0006${entries.join('')}\0`));
});

t.test('refuses an event that does not match the schema', async (t) => {
  t.throws(() => toAvroValue('solidity', { ...solidity, new: 2 }), /no field for new/);
  t.doesNotThrow(() => toAvroValue('solidity', { ...solidity, new: null }));
  for (const wrong of [
    { timeStamp: '27' },
    { timeStamp: 1.5 },
    { timeStamp: 2n ** 63n },
    { triggerName: 1 },
    { triggerName: null },
    { latestSolidifiedBlockNumber: undefined },
  ])
    t.throws(() => toAvroValue('solidity', { ...solidity, ...wrong }), Error, JSON.stringify(Object.keys(wrong)));
});
