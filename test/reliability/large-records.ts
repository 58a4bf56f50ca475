import assert from 'node:assert/strict';
import { join } from 'node:path';
import kafkajs, { type Admin } from 'kafkajs';
import { Broker } from '../support/streams/broker.js';
import { brokenLinks, type Consumed, consumeAll } from '../support/streams/consume.js';
import type { Measurement } from './run.js';
import { ForwardingNode } from './support/forwarding-node.js';

/** Size of the records of one block, in bytes. It is the maximum size of a block. */
const BLOCK_BYTES = 2_000_000;
const LIMIT_MIN = 4096;
const LIMIT_MAX = 200_000;
/**
 * Record size limit of a topic, in bytes, that is too small for the sink: even one part of a split record with its
 * headers is larger.
 */
const LIMIT_TOO_SMALL = 500;
const BLOCKS = 4;

export const largeRecords: Measurement = {
  title: 'handles records of 2 MB, just below and above the broker limit, and a lowered limit',
  gate: 10,
  night: 50,
  async run({ count, folder, random }) {
    const broker = await Broker.start();
    const admin = broker.client().admin();
    await admin.connect();
    const totals = { records: 0, parts: 0 };
    try {
      for (let round = 0; round < count; round++) {
        const prefix = `large-${round}`;
        const topic = `${prefix}.transaction`;
        const sink = { name: 'large', prefix };
        const limit = LIMIT_MIN + Math.floor(random() * (LIMIT_MAX - LIMIT_MIN));
        const isLowered = round % 3 === 1;
        await create(admin, topic, isLowered ? 1_000_000 : limit);
        const node = new ForwardingNode({ dataDir: join(folder, prefix), bootstrap: broker.bootstrap, sink });
        const memoBytes = Math.floor(Math.max(2 * limit, random() * BLOCK_BYTES));
        const shape = { transactions: Math.max(1, Math.floor(BLOCK_BYTES / memoBytes)), memoBytes };
        await node.grow({ to: BLOCKS, ...shape });
        await node.forwarded(BLOCKS);
        if (isLowered) await lower(admin, topic, limit);
        await node.grow({ to: 2 * BLOCKS, ...shape });
        await node.forwarded(2 * BLOCKS);
        await node.drain();
        const records = await consumeAll(broker.client(), [topic]);
        assert.deepEqual(brokenLinks(records), [], `limit ${limit}, memo ${memoBytes}`);
        const wholes = whole(records);
        assert.equal(wholes.length, 2 * BLOCKS * shape.transactions, `limit ${limit}, memo ${memoBytes}`);
        const ids = wholes.map((text) => (JSON.parse(text) as { transactionId: string }).transactionId);
        assert.equal(new Set(ids).size, ids.length);
        assert.ok(
          wholes.every((text) => text.length > limit),
          'no record was larger than the limit, so nothing was measured',
        );
        totals.records += wholes.length;
        totals.parts += records.length;
      }
      await tooSmall(broker, admin, folder);
      return `${totals.records} records complete and in order, sent as ${totals.parts}; a limit of ${LIMIT_TOO_SMALL} bytes is refused at the start`;
    } finally {
      await admin.disconnect();
      broker.close();
    }
  },
};

async function tooSmall(broker: Broker, admin: Admin, folder: string): Promise<void> {
  await create(admin, 'small.transaction', LIMIT_TOO_SMALL);
  const sink = { name: 'small', prefix: 'small' };
  const node = new ForwardingNode({ dataDir: join(folder, 'small'), bootstrap: broker.bootstrap, sink });
  try {
    await node.grow({ to: 1 });
    const problem = await node.refused();
    assert.match(problem, /small\.transaction/);
    assert.match(problem, /max\.message\.bytes/);
  } finally {
    await node.kill();
  }
}

async function create(admin: Admin, topic: string, limit: number): Promise<void> {
  const configEntries = [{ name: 'max.message.bytes', value: String(limit) }];
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 1, configEntries }] });
}

async function lower(admin: Admin, topic: string, limit: number): Promise<void> {
  const configEntries = [{ name: 'max.message.bytes', value: String(limit) }];
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  await admin.alterConfigs({ validateOnly: false, resources: [{ type, name: topic, configEntries }] });
}

/** Joins the parts of split records. Returns the complete values. */
function whole(records: readonly Consumed[]): string[] {
  const texts = new Map<string, Buffer[]>();
  for (const { headers, bytes } of records) {
    const place = `${headers['blockNum']}/${headers['index']}`;
    const parts = texts.get(place) ?? [];
    assert.equal(headers['part'] ?? '0', String(parts.length), place);
    parts.push(bytes);
    texts.set(place, parts);
  }
  return [...texts.values()].map((parts) => Buffer.concat(parts).toString());
}
