import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReferenceNode } from '../../reliability/answers/reference-node.js';
import { namedReference } from '../../reliability/reference/compiled.js';
import { until } from '../../support/until.js';
import { CONNECTIONS, openServed, portsOf, startLoad, UNLIMITED } from '../api-bench.js';
import type { Figures } from '../figures.js';
import type { LoadJob, LoadResult } from '../load-client.js';
import { broadcastJobs } from './broadcast-jobs.js';
import { answerOf, checkAnswers } from './check-answers.js';
import { type InterfaceJob, interfaceJobs, type Jobs } from './interface-jobs.js';
import { OWN_INDEXES, ownJobs } from './own-jobs.js';
import { wrk } from './wrk.js';

const LOAD_MS = 4000;
const WARM_UP_MS = 2000;
const JAVA_WARM_UP_MS = 15_000;
/** Number of clients that load one interface while another client sends small requests. */
const NEIGHBOURS = 8;

/**
 * Minimum share of broadcast transactions that must be pending afterwards. The rest are requests that the load
 * generator sent at the very end.
 */
const ACCEPTED_SHARE = 0.95;

const HEAVY = [
  'eth_getBlockByNumber, full',
  'getblockbynum',
  'gettransactioninfobyblocknum',
  'GraphQL, 90 blocks',
  'debug_traceTransaction',
];

/** Answer to the GraphQL query for the progress of the indexes. */
interface ProgressAnswer {
  readonly data: { readonly status: { readonly projections: readonly { readonly behind: string }[] } };
}

type Measured = LoadResult & { readonly cpuUs: number };

/**
 * Measures the most frequent requests of wallets and indexers over all interfaces: answers per second, and CPU time per
 * answer. The chain has blocks of TRC20 transfers. If the environment contains the folder of a compiled java-tron, also
 * measures java-tron with the requests that it supports. Then measures the rate of small requests while other clients
 * read whole blocks. The environment variable `TRONICLE_BENCH_WORKERS` sets the number of API threads.
 * @param only prefixes of the names of requests to measure; empty for all
 */
export async function interfaceBench(folder: string, figures: Figures, only: readonly string[] = []): Promise<void> {
  const isChosen = (name: string): boolean => only.length === 0 || only.some((start) => name.startsWith(start));
  const served = await openServed(folder, OWN_INDEXES);
  const { chain, config, blocks } = served;
  for (const block of blocks) chain.importBlock(block);
  await chain.ledger.flush();
  const thread = await served.serve();
  await indexesBuilt(config.tronicle.http.port);
  const ports = portsOf(config);
  const jobs = {
    ...interfaceJobs(blocks, ports),
    ...broadcastJobs(folder, served, ports),
    ...ownJobs(blocks, ports, config.tronicle.http.port),
  };
  const rates = new Map<string, Measured>();
  for (const [name, job] of Object.entries(jobs).filter(([name]) => isChosen(name))) {
    await checkAnswers(name, job);
    const found = await measured(job, WARM_UP_MS, ownCpuUs);
    rates.set(name, found);
    figures.note(`interfaces: ${name}`, found.perSecond, 'answers/s');
    print(name, found);
  }
  if (isChosen('starvation')) await starvation(jobs, figures);
  await thread.close();
  await served.close();
  const reference = namedReference();
  if (reference !== undefined) await besideReference(reference, folder, rates, figures);
}

/** Measures the rate of small requests of one client, without load and while eight clients send each heavy request. */
async function starvation(jobs: Jobs, figures: Figures): Promise<void> {
  const runSmall = (): Promise<LoadResult> => run(jobs['eth_blockNumber']!, { connections: 1, ms: LOAD_MS });
  // The first run warms the code up.
  await runSmall();
  const alone = await runSmall();
  print('eth_blockNumber, one client, alone', alone);
  for (const name of HEAVY) {
    const load = run(jobs[name]!, { connections: NEIGHBOURS, ms: LOAD_MS + 2000 });
    await sleep(1000);
    const beside = await runSmall();
    const neighbours = await load;
    figures.note(
      `interfaces: eth_blockNumber beside ${name}`,
      beside.perSecond,
      'answers/s',
      beside.perSecond / alone.perSecond,
    );
    print(`eth_blockNumber beside ${NEIGHBOURS} x ${name} (${neighbours.perSecond.toFixed(0)}/s)`, beside);
  }
}

async function besideReference(
  reference: string,
  folder: string,
  rates: ReadonlyMap<string, Measured>,
  figures: Figures,
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const node = await ReferenceNode.start(reference, data, folder, { more: UNLIMITED });
  const served = await openServed(folder);
  try {
    for (const { bytes } of served.blocks) await node.push(Buffer.from(bytes));
    const jobs = {
      ...interfaceJobs(served.blocks, node.ports),
      ...broadcastJobs(folder, served, node.ports),
    };
    for (const [name, job] of Object.entries(jobs)) {
      const own = rates.get(name);
      if (own === undefined) continue;
      await checkAnswers(`java-tron, ${name}`, job);
      const theirs = await measured(job, JAVA_WARM_UP_MS, () => node.cpuUs());
      figures.note(`interfaces: ${name}, beside java-tron`, own.perSecond / theirs.perSecond, '×');
      print(`java-tron, ${name} (${(own.perSecond / theirs.perSecond).toFixed(2)} x here)`, theirs);
    }
  } finally {
    node.stop();
    await served.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function measured(job: InterfaceJob, warmUpMs: number, cpuUs: () => number): Promise<Measured> {
  const [first, second] = job.pendingPort === undefined ? [job, job] : halves(job);
  await run(first, { connections: CONNECTIONS, ms: warmUpMs });
  const [before, pendingBefore] = [cpuUs(), await pendingOf(job)];
  const result = await run(second, { connections: CONNECTIONS, ms: LOAD_MS });
  const answered = (result.perSecond * LOAD_MS) / 1000;
  const found = { ...result, cpuUs: (cpuUs() - before) / answered };
  const accepted = (await pendingOf(job)) - pendingBefore;
  if (job.pendingPort !== undefined && accepted < ACCEPTED_SHARE * answered)
    throw new Error(`only ${accepted} of ${answered} transactions were accepted`);
  return found;
}

/**
 * Splits the requests of a job into a half for the warm-up and a half for the measurement, so that no request is sent
 * twice.
 */
function halves(job: InterfaceJob): readonly [InterfaceJob, InterfaceJob] {
  const middle = Math.floor(job.requests.length / 2);
  return [
    { ...job, requests: job.requests.slice(0, middle) } as InterfaceJob,
    { ...job, requests: job.requests.slice(middle) } as InterfaceJob,
  ];
}

/** Returns the number of pending transactions, or 0 if the job adds none. */
async function pendingOf({ pendingPort }: InterfaceJob): Promise<number> {
  if (pendingPort === undefined) return 0;
  const text = await answerOf(pendingPort, { path: '/wallet/getpendingsize' });
  return (JSON.parse(text) as { readonly pendingSize: number }).pendingSize;
}

/** Runs the load generator for the interface of a job. */
function run(job: InterfaceJob, load: Pick<LoadJob, 'connections' | 'ms'>): Promise<LoadResult> {
  return 'method' in job ? startLoad({ ...job, ...load }).result : wrk({ ...job, ...load });
}

/** Resolves when all indexes contain the newest block. @param port value of `tronicle.http.port` */
async function indexesBuilt(port: number): Promise<void> {
  const request = { path: '/graphql', body: JSON.stringify({ query: '{ status { projections { behind } } }' }) };
  await until('the indexes', async () => {
    const { data } = JSON.parse(await answerOf(port, request)) as ProgressAnswer;
    return data.status.projections.every(({ behind }) => behind === '0');
  });
}

function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function print(name: string, { perSecond, p99, failed, cpuUs }: LoadResult & { readonly cpuUs?: number }): void {
  const cpu = cpuUs === undefined ? '' : `, ${cpuUs.toFixed(0)} µs of CPU each`;
  console.log(`   ${name}: ${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms${cpu}, ${failed} failed`);
}
