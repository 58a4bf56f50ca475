import { join } from 'node:path';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import t from 'tap';
import { loadConfig } from '../../../src/config/load-config.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { type EventTrigger, TRIGGERS } from '../../../src/streams/event-kinds.js';
import { logMoves } from '../../../src/streams/follow/log-moves.js';
import { solidifiedBlocks } from '../../../src/streams/follow/solid-blocks.js';
import { AbiRegistry } from '../../../src/streams/records/abi-registry.js';
import { avroSchemaOf } from '../../../src/streams/records/avro/avro-schema.js';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { RecordMaker } from '../../../src/streams/records/record-maker.js';
import { jsonSchemaOf } from '../../../src/streams/records/schema/json-schema.js';
import { ALL_TRANSFERS } from '../../../src/streams/records/transfers/transfer-event.js';
import { asyncApiDocument } from '../../../src/streams/sinks/kafka/async-api.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { eachItem } from '../../support/log/each-item.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';

type Json = Record<string, unknown>;

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, formats: { int64: true } });
const validators = new Map<EventTrigger, ValidateFunction>(
  TRIGGERS.map((trigger) => [trigger, ajv.compile(jsonSchemaOf(trigger) as AnySchema)]),
);
/** First record of each trigger. Tests make this record invalid and expect that the schema rejects it. */
const samples = new Map<EventTrigger, Json>();
const counts = new Map<EventTrigger, number>();

/** Returns the first errors that the schema finds in a record. */
function faultsOf(trigger: EventTrigger, event: unknown): string[] {
  const validate = validators.get(trigger)!;
  if (validate(event)) return [];
  return validate.errors!.map(({ instancePath, message, params }) =>
    [trigger, instancePath, message, JSON.stringify(params)].join(' '),
  );
}

/**
 * The recordings have contracts, tokens and internal transactions (first), stake, votes and permissions (second), and
 * all contract types (third).
 */
for (const name of ['tvm-forks-14-shanghai', 'stake', 'system-tour']) {
  t.test(`describes every record of ${name}`, async (t) => {
    const folder = join(golden, name);
    const dataDir = temporaryFolder(t);
    const chain = await openRecorded(folder, dataDir);
    const { ledger } = chain;
    t.teardown(() => ledger.close());
    for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz')))
      if (num > 0 && block !== undefined) chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
    await ledger.flush();
    const { addressPrefix } = loadConfig({ file: join(folder, 'config.conf') }).config;
    const book = new AbiRegistry(ledger, dataDir);
    t.teardown(() => book.close());
    const faults: string[] = [];
    const check = ({ records }: BlockRecords): void => {
      for (const { trigger, payload } of records as readonly { trigger: EventTrigger; payload: string }[]) {
        const event = JSON.parse(payload) as Json;
        if (!samples.has(trigger)) samples.set(trigger, event);
        counts.set(trigger, (counts.get(trigger) ?? 0) + 1);
        if (faults.length < 10) faults.push(...faultsOf(trigger, event));
      }
    };
    const maker = (isLater: boolean): RecordMaker => {
      const { blackhole } = chain.state.rules;
      const transfer = { ...ALL_TRANSFERS, genesis: true };
      const sink = { ...kafkaSink('unused:1'), topics: TRIGGERS, ethCompatible: isLater, transfer };
      const form = { addressPrefix, blackhole, parsesContracts: true, laterTriggers: isLater };
      return new RecordMaker({ ledger, sink, book, ...form });
    };
    const blocks = maker(false);
    for await (const block of eachItem(solidifiedBlocks({ ledger, follow: false }))) check(blocks.recordsOf(block));
    const moves = maker(true);
    for await (const move of eachItem(logMoves({ ledger, follow: false }))) check(moves.recordsOfMove(move));
    t.same(faults, []);
  });
}

t.test('has records of every trigger in the recordings', async (t) => {
  t.comment(JSON.stringify(Object.fromEntries(counts)));
  t.same([...samples.keys()].sort(), [...TRIGGERS].sort());
});

t.test('rejects a record with a missing, additional or malformed member', async (t) => {
  for (const trigger of TRIGGERS) {
    const sample = samples.get(trigger)!;
    const { required } = jsonSchemaOf(trigger) as { required: readonly string[] };
    for (const name of required) {
      const { [name]: _removed, ...others } = sample;
      t.match(faultsOf(trigger, others), [new RegExp(`"missingProperty":"${name}"`)], `${trigger} without ${name}`);
    }
    t.match(faultsOf(trigger, { ...sample, added: 1 }), [/"additionalProperty":"added"/], trigger);
    for (const name of Object.keys(sample)) {
      const wrong = typeof sample[name] === 'number' ? String(sample[name]) : 1.5;
      t.ok(faultsOf(trigger, { ...sample, [name]: wrong }).length > 0, `${trigger} with a malformed ${name}`);
    }
    t.ok(faultsOf(trigger, { ...sample, triggerName: 'other' }).length > 0, `${trigger} with another name`);
  }
  const transfer = samples.get('transfer')!;
  for (const wrong of [{ amount: '1.5' }, { amount: '' }, { kind: 'gift' }, { from: '0x00' }, { blockHash: 'AB' }])
    t.equal(faultsOf('transfer', { ...transfer, ...wrong }).length, 1, JSON.stringify(wrong));
});

t.test('prints the schema of a trigger, and the AsyncAPI document', async (t) => {
  const printed = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await runTronicle(['stream', 'schema', ...args])).stdout);
  t.same(await printed('--topic', 'transfer'), jsonSchemaOf('transfer'));
  t.same(await printed('--topic', 'transfer', '--avro'), avroSchemaOf('transfer'));
  t.same(await printed(), asyncApiDocument());
  const { code, stderr } = await runTronicle(['stream', 'schema', '--topic', 'log']);
  t.equal(code, 2);
  t.match(stderr, /no schema for topic log; use block, transaction/);
  t.match((await runTronicle(['stream', 'schema', '--avro'])).stderr, /--avro needs --topic/);
});
