import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Forwarder } from '../../../src/api/streams/forwarder.js';
import type { Ledger } from '../../../src/projections/ledger.js';
import { silent } from '../../projections/support/chain.js';
import { Broker } from './support/broker.js';
import { openChain } from './support/genesis.js';
import { kafkaSink } from './support/sink-options.js';
import { appendTransfers } from './support/transfer-chain.js';

/**
 * `npx tsx test/api/streams/forward-bench.ts [blocks] [live blocks] [ms between them]`: how fast a sink catches up, as a ratio to bare
 * kafkajs, and how long a block of 300 transactions takes from its commit to a `read_committed` consumer.
 */
const [, , catchUp = '300', live = '100', interval = '500'] = process.argv;
const TRANSACTIONS = 300;
const PATIENCE = { quietMs: 60_000, maxMs: 600_000 };

const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
const broker = await Broker.start();
try {
  const ledger = await openChain(dataDir);
  for (let at = 0; at < Number(catchUp); at++) append(ledger);
  await ledger.flush();
  const produced = await bareProduce(TRANSACTIONS * Number(catchUp));
  const forwarded = await measureCatchUp(ledger);
  const ratio = (forwarded / produced).toFixed(2);
  console.log(`catch-up ${forwarded} records/s, bare kafkajs ${produced} records/s, ratio ${ratio}`);
  const latencies = await measureLatency(ledger);
  const at = (part: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))]!;
  console.log(`solidified to consumer: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, of ${latencies.length} blocks`);
  await ledger.close();
} finally {
  broker.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function append(ledger: Ledger): void {
  const next = ledger.position.headNumber + 1;
  appendTransfers(ledger, { transactions: TRANSACTIONS, solidified: next });
}

function forwarder(ledger: Ledger): Forwarder {
  return new Forwarder({
    ledger,
    dataDir,
    sinks: [kafkaSink(broker.bootstrap)],
    addressPrefix: 0x41,
    parsesContracts: true,
    log: silent,
  });
}

async function measureCatchUp(ledger: Ledger): Promise<number> {
  const started = Date.now();
  await forwarder(ledger).close(PATIENCE);
  return Math.round((TRANSACTIONS * Number(catchUp) * 1000) / (Date.now() - started));
}

async function measureLatency(ledger: Ledger): Promise<number[]> {
  const forwarding = forwarder(ledger);
  const consumer = broker.client().consumer({ groupId: 'bench', maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topics: ['tronicle.transaction'], fromBeginning: false });
  const sent = new Map<number, number>();
  const latencies: number[] = [];
  await consumer.run({
    eachMessage: async ({ message: { headers } }) => {
      const isLast = Number(headers?.['index']) === TRANSACTIONS - 1;
      const at = sent.get(Number(headers?.['blockNum']));
      if (isLast && at !== undefined) latencies.push(Date.now() - at);
    },
  });
  await sleep(3000);
  for (let count = 0; count < Number(live); count++) {
    append(ledger);
    sent.set(ledger.position.headNumber, Date.now());
    await ledger.flush();
    await sleep(Number(interval));
  }
  await forwarding.close(PATIENCE);
  await sleep(1000);
  await consumer.disconnect();
  return latencies.sort((a, b) => a - b);
}

async function bareProduce(records: number): Promise<number> {
  const admin = broker.client().admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: 'bare', numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
  const producer = broker.client().producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const value = Buffer.alloc(900, 'x');
  const started = Date.now();
  for (let at = 0; at < records; at += 500) {
    const messages = Array.from({ length: 500 }, (_, index) => ({ key: String(at + index), value, partition: 0 }));
    await producer.send({ topic: 'bare', acks: -1, messages });
  }
  const seconds = (Date.now() - started) / 1000;
  await producer.disconnect();
  return Math.round(records / seconds);
}
