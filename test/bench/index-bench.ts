import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Chain } from '../../src/chain/chain.js';
import { startProjections } from '../../src/node/serving/secondary-projections.js';
import { indexProjections } from '../../src/projections/indexes/indexes.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { readLines } from '../conformance/recording.js';
import { openRecorded } from '../conformance/replay-session.js';
import type { Figures } from './figures.js';

/** Number of rounds. The best time is used, because other work on the machine can only make a run slower. */
const ROUNDS = 3;
/** Interval of checks of the progress, in ms. */
const CHECK_MS = 5;
const ADDRESS_PREFIX = 0x41;
/** Names of all optional indexes. The index of bloom filters is always built in addition. */
const indexNames = [...indexProjections(ADDRESS_PREFIX).keys()];

/**
 * Measures how fast all indexes together process a chain that is already imported. This thread builds the indexes.
 * @param imported transactions per second of `tronicle import` in the same run, without indexes
 */
export async function indexBench(folder: string, name: string, imported: number, figures: Figures): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const chain = await openRecorded(folder, data);
  try {
    const transactions = await importAll(chain, folder);
    const runs: IndexRun[] = [];
    for (let round = 0; round < ROUNDS; round++) runs.push(await buildIndexes(chain, data));
    const perSecond = transactions / Math.min(...runs.map(({ seconds }) => seconds));
    const cpuUs = Math.min(...runs.map(({ cpuUs }) => cpuUs)) / transactions;
    console.log(
      `${name}: ${indexNames.length} indexes and the bloom filters caught up at ${perSecond.toFixed(0)} tx/s, ` +
        `${(perSecond / imported).toFixed(2)} × the import, ${cpuUs.toFixed(1)} µs of processors for each`,
    );
    figures.note(`${name}: all indexes`, perSecond, 'tx/s', perSecond / imported);
    figures.note(`${name}: all indexes, processors`, cpuUs, 'µs/tx');
  } finally {
    await chain.ledger.close();
    rmSync(data, { recursive: true, force: true });
  }
}

interface IndexRun {
  readonly seconds: number;
  /** CPU time of all threads, in µs. */
  readonly cpuUs: number;
}

/** Builds all indexes of the chain in a new folder. Returns the elapsed time and the CPU time. */
async function buildIndexes(chain: Chain, data: string): Promise<IndexRun> {
  const dataDir = mkdtempSync(join(data, 'indexes-'));
  const { ledger } = chain;
  const last = ledger.storedSeq;
  const before = process.cpuUsage();
  const started = performance.now();
  const indexes = startProjections({
    ledger,
    retainChanges: () => undefined,
    dataDir,
    names: indexNames,
    addressPrefix: ADDRESS_PREFIX,
    log: pino({ level: 'fatal' }),
  });
  try {
    while (indexes.progress().some(({ seq }) => seq < last)) await sleep(CHECK_MS);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - started) / 1000, cpuUs: user + system };
  } finally {
    await indexes.close();
  }
}

/** Imports the blocks of a recording. Returns the number of transactions. */
async function importAll(chain: Chain, folder: string): Promise<number> {
  let transactions = 0;
  for await (const { block: hex } of readLines<{ readonly block?: string }>(join(folder, 'blocks.ndjson.gz'))) {
    if (hex === undefined) continue;
    const block = decodeBlock(Buffer.from(hex, 'hex'));
    chain.importBlock(block);
    transactions += block.transactions.length;
  }
  await chain.ledger.flush();
  return transactions;
}
