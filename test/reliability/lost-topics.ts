import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { Broker, KILLED } from '../support/streams/broker.js';
import { brokenLinks, consumeAll } from '../support/streams/consume.js';
import type { Measurement } from './run.js';
import { ForwardingNode } from './support/forwarding-node.js';

/** One way to damage the topics, and a text that the error of the sink must contain. */
interface Case {
  readonly name: string;
  readonly names: RegExp;
  /** True if the node is running when the topics are damaged. */
  readonly isLive?: boolean;
  damage(broker: Broker, admin: Admin): Promise<void> | void;
}

const TOPIC = 'lost.transaction';
const CURSOR = 'lost.cursor';
const TRANSACTIONS = 3;
/** Matches the instructions in the error text of the sink. */
const INSTRUCTIONS = /new name and new topics/;

const cases: readonly Case[] = [
  { name: 'deleted', names: /lost\.transaction is missing/, damage: (_, admin) => remove(admin, TOPIC) },
  {
    name: 'created again',
    names: /lost\.transaction, partition 0, ends before/,
    damage: (_, admin) => renew(admin, TOPIC),
  },
  {
    name: 'created again with fewer records',
    names: /lost\.transaction, partition 0, ends before/,
    damage: async (broker, admin) => {
      await renew(admin, TOPIC);
      const producer = broker.client().producer();
      await producer.connect();
      await producer.send({ topic: TOPIC, messages: [{ value: 'of another program' }] });
      await producer.disconnect();
    },
  },
  { name: 'without its cursor', names: /lost\.cursor is missing/, damage: (_, admin) => remove(admin, CURSOR) },
  { name: 'with an empty cursor', names: /lost\.cursor has no cursor/, damage: (_, admin) => renew(admin, CURSOR) },
  { name: 'on an empty broker', names: /lost\.cursor is missing/, damage: (broker) => broker.empty() },
  {
    name: 'restored from an older copy of the broker',
    names: /has a cursor at block \d+/,
    damage: (broker) => broker.restore(),
  },
  {
    name: 'deleted while the node runs',
    names: /lost\.transaction is missing/,
    isLive: true,
    damage: (_, admin) => remove(admin, TOPIC),
  },
  {
    name: 'created again while the node runs',
    names: /lost\.transaction, partition 0, ends before/,
    isLive: true,
    damage: (_, admin) => renew(admin, TOPIC),
  },
  {
    name: 'on an empty broker while the node runs',
    names: /lost\.cursor is missing/,
    isLive: true,
    damage: (broker) => broker.empty(),
  },
];

export const lostTopics: Measurement = {
  title: 'detects deleted, emptied, shortened and restored topics, with the node stopped or running',
  gate: 1,
  night: 5,
  async run({ count, folder, random }) {
    let resent = 0;
    for (let round = 0; round < count; round++) {
      for (const [at, each] of cases.entries()) {
        try {
          resent += await tryCase(each, join(folder, `data-${round}-${at}`), random);
        } catch (error) {
          throw new Error(`${each.name}: ${(error as Error).message}`, { cause: error });
        }
      }
    }
    return (
      `${count * cases.length} losses in ${cases.length} ways, each reported with topic and instruction, and no record sent afterwards; ` +
      `${resent} records sent again under a new name, complete and in order`
    );
  },
};

async function tryCase(
  { names, isLive = false, damage }: Case,
  dataDir: string,
  random: () => number,
): Promise<number> {
  const broker = await Broker.start(KILLED);
  const admin = broker.client().admin();
  await admin.connect();
  const sink = { name: 'lost', prefix: 'lost' };
  const options = { dataDir, bootstrap: broker.bootstrap, sink };
  let node = new ForwardingNode(options);
  try {
    let height = 5 + Math.floor(random() * 20);
    await node.grow({ to: height, transactions: TRANSACTIONS });
    await node.forwarded(height);
    broker.copy();
    height += 5 + Math.floor(random() * 20);
    await node.grow({ to: height, transactions: TRANSACTIONS });
    await node.forwarded(height);
    if (!isLive) await node.drain();
    await damage(broker, admin);
    const before = await visible(broker, admin);
    if (!isLive) node = new ForwardingNode(options);
    height += 1 + Math.floor(random() * 10);
    await node.grow({ to: height, transactions: TRANSACTIONS });
    const problem = await node.refused();
    assert.match(problem, names);
    assert.match(problem, INSTRUCTIONS);
    await sleep(1000);
    assert.equal(node.status?.state, 'stopped', 'the sink stays stopped');
    assert.equal(await visible(broker, admin), before, 'no record was sent to the replaced topic');
    await node.kill();
    return await sendAgain(broker, dataDir, height);
  } finally {
    await node.kill();
    await admin.disconnect();
    broker.close();
  }
}

/**
 * Follows the instructions in the error text of the sink: uses a new sink name and new topics. Checks that the new
 * topics contain every record. Returns the number of records.
 */
async function sendAgain(broker: Broker, dataDir: string, height: number): Promise<number> {
  const sink = { name: 'again', prefix: 'again' };
  const node = new ForwardingNode({ dataDir, bootstrap: broker.bootstrap, sink });
  await node.forwarded(height);
  await node.drain();
  const records = await consumeAll(broker.client(), ['again.transaction']);
  assert.deepEqual(brokenLinks(records), []);
  assert.equal(records.length, height * TRANSACTIONS);
  return records.length;
}

async function remove(admin: Admin, topic: string): Promise<void> {
  await admin.deleteTopics({ topics: [topic] });
  while ((await admin.listTopics()).includes(topic)) await sleep(20);
}

async function renew(admin: Admin, topic: string): Promise<void> {
  await remove(admin, topic);
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
}

/** Counts the records that a `read_committed` consumer receives. */
async function visible(broker: Broker, admin: Admin): Promise<number> {
  if (!(await admin.listTopics()).includes(TOPIC)) return 0;
  if ((await admin.fetchTopicOffsets(TOPIC))[0]?.high === '0') return 0;
  return (await consumeAll(broker.client(), [TOPIC])).length;
}
