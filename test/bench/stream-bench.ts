import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Ledger } from '../../src/projections/ledger/ledger.js';
import type { WriterLedger } from '../../src/projections/ledger/writer-ledger.js';
import { Forwarder } from '../../src/streams/forwarding/forwarder.js';
import type { SinkStatus } from '../../src/streams/forwarding/sink-status.js';
import { silent } from '../support/projections/chain.js';
import { Broker } from '../support/streams/broker.js';
import { openChain } from '../support/streams/genesis.js';
import { kafkaSink } from '../support/streams/sink-options.js';
import { appendTransfers } from '../support/streams/transfer-chain.js';
import type { Figures } from './figures.js';

const main = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));
const TRANSACTIONS = 300;
const CATCH_UP_BLOCKS = 300;
/** Number of rounds in which plain kafkajs and a sink catch up. The result is the median of the ratios. */
const CATCH_UPS = 3;
const LIVE_BLOCKS = 100;
/** Interval between two live blocks, in ms. */
const LIVE_MS = 500;
/**
 * Number of rounds. In each round, the chain is imported without a sink and with each sink. The result is the median of
 * the additional times.
 */
const IMPORTS = 9;
const CLOSE_LIMITS = { quietMs: 60_000, maxMs: 600_000 };

/**
 * Measures sinks with a real Kafka broker. The first figure is the speed of a sink that catches up, compared with plain
 * kafkajs. The second is the time from the commit of a block with 300 transactions until a `read_committed` consumer
 * receives it. The third is the additional time of an import while blocks are forwarded.
 */
export async function streamBench(folder: string, figures: Figures): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const broker = await Broker.start();
  try {
    const ledger = await openChain(dataDir);
    for (let at = 0; at < CATCH_UP_BLOCKS; at++) append(ledger);
    await ledger.flush();
    await measureCatchUps(ledger, dataDir, broker, figures);
    const latencies = await measureLatency(ledger, dataDir, broker);
    const at = (part: number): number =>
      latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))]!;
    console.log(`   solidified to consumer: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, of ${latencies.length} blocks`);
    figures.note('streams: solidified to consumer, p99', at(0.99), 'ms');
    await ledger.close();
    await measureImports(folder, broker, figures);
  } finally {
    broker.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function append(ledger: WriterLedger): void {
  const next = ledger.position.headNumber + 1;
  appendTransfers(ledger, { transactions: TRANSACTIONS, solidified: next });
}

/** @param run number of the run. Each run has sinks and topics with other names, so all records are sent again. */
function forwarder(
  { ledger, dataDir, broker, run }: ForwarderOptions,
  onStatus: (status: SinkStatus) => void = () => undefined,
): Forwarder {
  const sinks = [kafkaSink(broker.bootstrap, { name: `kafka${run}`, prefix: `run${run}` })];
  return new Forwarder({
    ledger,
    dataDir,
    sinks,
    addressPrefix: 0x41,
    blackhole: '',
    parsesContracts: true,
    laterTriggers: false,
    log: silent,
    onStatus,
  });
}

interface ForwarderOptions {
  readonly ledger: Ledger;
  readonly dataDir: string;
  readonly broker: Broker;
  readonly run: number;
}

/** Elapsed time and CPU time of this process for a number of records. */
interface Rate {
  readonly perSecond: number;
  /** CPU time per record, in µs. */
  readonly cpu: number;
}

/** Starts a measurement. @returns function that returns the times since the start */
function stopwatch(): () => Rate {
  const records = TRANSACTIONS * CATCH_UP_BLOCKS;
  const [started, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { perSecond: (records * 1000) / (performance.now() - started), cpu: (user + system) / records };
  };
}

/**
 * Compares plain kafkajs with a sink. Both send the same number of records to one partition. The records of the sink
 * are larger (about 1030 bytes on disk, compared with 880), and are sent in transactions.
 */
async function measureCatchUps(ledger: Ledger, dataDir: string, broker: Broker, figures: Figures): Promise<void> {
  const bare: Rate[] = [];
  const sink: Rate[] = [];
  for (let run = 0; run < CATCH_UPS; run++) {
    bare.push(await bareProduce(broker, `bare${run}`));
    sink.push(await measureCatchUp({ ledger, dataDir, broker, run }));
  }
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[CATCH_UPS >> 1]!;
  const [forwarded, produced] = [sink, bare].map((rates) => Math.round(median(rates.map((rate) => rate.perSecond))));
  const ratio = median(sink.map(({ perSecond }, run) => perSecond / bare[run]!.perSecond));
  const [ours, theirs] = [sink, bare].map((rates) => median(rates.map(({ cpu }) => cpu)).toFixed(1));
  console.log(
    `streams: catch-up ${forwarded} records/s, bare kafkajs ${produced} records/s, ratio ${ratio.toFixed(2)}; CPU ${ours} and ${theirs} µs a record`,
  );
  figures.note('streams: catch-up', forwarded!, 'records/s', ratio);
}

/**
 * Measures a sink from the time when it is open until it has sent all records. Plain kafkajs is also measured only
 * after it has connected.
 */
async function measureCatchUp(options: ForwarderOptions): Promise<Rate> {
  let elapsed = stopwatch();
  let isOpen = false;
  const forwarding = forwarder(options, ({ state }) => {
    if (isOpen || state !== 'forwarding') return;
    isOpen = true;
    elapsed = stopwatch();
  });
  await forwarding.close(CLOSE_LIMITS);
  return elapsed();
}

async function measureLatency(ledger: WriterLedger, dataDir: string, broker: Broker): Promise<number[]> {
  const forwarding = forwarder({ ledger, dataDir, broker, run: 0 });
  const consumer = broker.client().consumer({ groupId: 'bench', maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topics: ['run0.transaction'], fromBeginning: false });
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
  for (let count = 0; count < LIVE_BLOCKS; count++) {
    append(ledger);
    sent.set(ledger.position.headNumber, Date.now());
    await ledger.flush();
    await sleep(LIVE_MS);
  }
  await forwarding.close(CLOSE_LIMITS);
  await sleep(1000);
  await consumer.disconnect();
  return latencies.sort((a, b) => a - b);
}

async function bareProduce(broker: Broker, topic: string): Promise<Rate> {
  const admin = broker.client().admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
  const producer = broker.client().producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const value = Buffer.alloc(900, 'x');
  const elapsed = stopwatch();
  for (let at = 0; at < TRANSACTIONS * CATCH_UP_BLOCKS; at += 500) {
    const messages = Array.from({ length: 500 }, (_, index) => ({ key: String(at + index), value, partition: 0 }));
    await producer.send({ topic, acks: -1, messages });
  }
  const rate = elapsed();
  await producer.disconnect();
  return rate;
}

interface Import {
  readonly seconds: number;
  /** CPU time in ms of the broker, which runs on the same machine. */
  readonly brokerMs: number;
}

/**
 * Measures the time until the last block is imported. The sinks need not have forwarded this block. The time includes
 * loading and connecting.
 */
async function measureImports(folder: string, broker: Broker, figures: Figures): Promise<void> {
  const sinks = {
    none: '[]',
    ndjson: '[{ name = "file", type = ndjson, path = "solidified.ndjson", topics = [ transaction ] }]',
    kafka: `[{ name = "kafka", type = kafka, bootstrap = "${broker.bootstrap}", prefix = "{{run}}", topics = [ transaction ] }]`,
  };
  const runs = new Map<string, Import[]>(Object.keys(sinks).map((name) => [name, []]));
  for (let run = 0; run < IMPORTS; run++) {
    // Each round has another order, because a machine may become slower over time.
    const names = Object.entries(sinks);
    for (const [name, text] of [...names.slice(run % names.length), ...names.slice(0, run % names.length)])
      runs.get(name)!.push(await importOnce(folder, text.replace('{{run}}', `run${run}`), broker));
  }
  const times = (name: string): number[] => runs.get(name)!.map(({ seconds }) => seconds);
  const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
  const none = sorted(times('none'));
  const seconds = (value: number | undefined): string => `${value?.toFixed(1)} s`;
  console.log(
    `   import ${seconds(none[IMPORTS >> 1])} without a sink (${seconds(none[0])} to ${seconds(none.at(-1))})`,
  );
  for (const name of ['ndjson', 'kafka']) {
    const longer = sorted(times(name).map((time, round) => (time / times('none')[round]! - 1) * 100));
    figures.note(`streams: import with ${name}`, longer[IMPORTS >> 1]!, '% longer');
    const brokerMs = Math.min(...runs.get(name)!.map((one) => one.brokerMs));
    const share = name === 'kafka' ? `; the broker takes ${brokerMs} ms of a core in that time` : '';
    const percent = (value: number | undefined): string => `${value?.toFixed(1)} %`;
    console.log(
      `   ${percent(longer[IMPORTS >> 1])} longer with ${name} (${percent(longer[0])} to ${percent(longer.at(-1))})${share}`,
    );
  }
}

function importOnce(folder: string, sinks: string, broker: Broker): Promise<Import> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const config = join(data, 'bench.conf');
  writeFileSync(config, `include required(file("${join(folder, 'config.conf')}"))\ntronicle.sinks = ${sinks}\n`);
  const args = ['import', join(folder, 'blocks.ndjson.gz'), '--sinks', '-c', config, '-d', join(data, 'data')];
  const before = broker.cpuMs() ?? Number.NaN;
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  let done: Import | undefined;
  // The command prints its result, one JSON object, after the import and before it waits for the sinks.
  child.stdout.on('data', (result) => {
    const { seconds } = JSON.parse(result) as { readonly seconds: number };
    done = { seconds, brokerMs: (broker.cpuMs() ?? Number.NaN) - before };
  });
  return new Promise((resolve, reject) => {
    child.on('close', () => {
      rmSync(data, { recursive: true, force: true });
      if (done === undefined) reject(new Error(`the import failed: ${errors.slice(-500)}`));
      else resolve(done);
    });
  });
}
