import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import Fastify from 'fastify';
import { pino } from 'pino';
import type { Chain } from '../../src/chain/chain.js';
import type { NodeConfig } from '../../src/config/load-config.js';
import type { ApiThreads } from '../../src/node/threads/api-threads/api-threads.js';
import type { DecodedBlock } from '../../src/state-transition/block/decoded-block.js';
import type { Ports } from '../reliability/answers/question.js';
import { ReferenceNode } from '../reliability/answers/reference-node.js';
import { namedReference } from '../reliability/reference/compiled.js';
import { freePort } from '../support/free-port.js';
import type { Figures } from './figures.js';
import type { LoadJob, LoadResult } from './load-client.js';

const client = fileURLToPath(new URL('./load-client.ts', import.meta.url));
export const CONNECTIONS = 16;
const LOAD_MS = 5000;
/** Duration of the warm-up of java-tron before each measurement, in ms. */
const WARM_UP_MS = 15_000;
/** Number of different requests. It exceeds the size of the response cache, so the cache contains no response. */
const DIFFERENT_REQUESTS = 50_000;
const FLOOD_CLIENTS = 64;
/**
 * Number of blocks per phase. Phases without and with a flood alternate, so a slower machine affects both kinds of
 * phases.
 */
const TURN_BLOCKS = 40;
const TURNS = 6;

/** Servlets of java-tron whose own rate limits are removed. */
const UNLIMITED_SERVLETS = [
  'GetNowBlockServlet',
  'GetAccountServlet',
  'GetAccountResourceServlet',
  'GetBlockServlet',
  'GetBlockByNumServlet',
  'GetTransactionByIdServlet',
  'GetTransactionInfoByIdServlet',
  'GetTransactionInfoByBlockNumServlet',
  'TriggerConstantContractServlet',
  'BroadcastServlet',
  'JsonRpcServlet',
];

/** gRPC methods of java-tron whose own rate limits are removed. */
const UNLIMITED_METHODS = [
  'GetAccount',
  'GetBlockByNum2',
  'GetTransactionById',
  'GetTransactionInfoById',
  'GetTransactionInfoByBlockNum',
  'BroadcastTransaction',
].map((method) => `protocol.Wallet/${method}`);

const unlimited = (component: string) => ({
  component,
  strategy: 'QpsRateLimiterAdapter',
  paramString: 'qps=1000000',
});

/** Maximum number of pending transactions. No block is produced, so all broadcast transactions stay pending. */
const PENDING_MAX = 1_000_000;

/**
 * Configuration without rate limits, because the benchmark measures the servers. For java-tron, it is appended to the
 * configuration of a recording.
 */
export const UNLIMITED = [
  'rate.limiter.global.qps = 1000000',
  'rate.limiter.global.ip.qps = 1000000',
  `rate.limiter.http = ${JSON.stringify(UNLIMITED_SERVLETS.map(unlimited))}`,
  `rate.limiter.rpc = ${JSON.stringify(UNLIMITED_METHODS.map(unlimited))}`,
  `node.maxTransactionPendingSize = ${PENDING_MAX}`,
].join('\n');

/** Imports a module of the compiled program, because the API thread runs only compiled code. */
async function compiled<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as Module;
}

export interface Served {
  readonly chain: Chain;
  readonly config: NodeConfig;
  readonly blocks: readonly DecodedBlock[];
  /** Serves the APIs on free ports. */
  serve(): Promise<ApiThreads>;
  close(): Promise<void>;
}

/**
 * Opens a new chain with the configuration of a recording.
 * @param indexes indexes to build (`tronicle.projections`); if there are any, `/v1` is served too
 */
export async function openServed(folder: string, indexes: readonly string[] = []): Promise<Served> {
  const { loadConfig } = await compiled<typeof import('../../src/config/load-config.js')>('config/load-config.js');
  const { NO_FLAGS } = await compiled<typeof import('../../src/config/flags.js')>('config/flags.js');
  const { openChain } = await compiled<typeof import('../../src/node/open-chain.js')>('node/open-chain.js');
  const { machineClock } = await compiled<typeof import('../../src/chain/clock.js')>('chain/clock.js');
  const threads = await compiled<typeof import('../../src/node/threads/api-threads/api-threads.js')>(
    'node/threads/api-threads/api-threads.js',
  );
  const { NodeMetrics } =
    await compiled<typeof import('../../src/node/metrics/node-metrics.js')>('node/metrics/node-metrics.js');
  const { decodeBlock } = await compiled<typeof import('../../src/state-transition/block/decoded-block.js')>(
    'state-transition/block/decoded-block.js',
  );
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const { config: read } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const config = await withOwnPorts(read, indexes);
  const log = pino({ level: 'error' });
  const chain = await openChain({ config, dataDir, log });
  const blocks = gunzipSync(readFileSync(join(folder, 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { block?: string }).block ?? [])
    .map((hex) => decodeBlock(Buffer.from(hex, 'hex')));
  return {
    chain,
    config,
    blocks: blocks.filter(({ number }) => number > 0),
    serve: () => {
      const metrics = new NodeMetrics({
        chain,
        log: pino({ level: 'silent' }),
        dataDir,
        hasMeters: false,
        sinks: undefined,
        release: '4.7.2',
        role: 'full',
      });
      return threads.ApiThreads.start({ chain, config, dataDir, clock: machineClock, log, producers: [], metrics });
    },
    close: async () => {
      await chain.ledger.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function withOwnPorts(config: NodeConfig, indexes: readonly string[]): Promise<NodeConfig> {
  const ports = await Promise.all(Array.from({ length: 9 }, freePort));
  const [http, httpSolid, httpPbft, rpc, rpcSolid, rpcPbft, json, jsonSolid, jsonPbft] = ports as [
    ...Array<number>,
  ] as readonly number[];
  const { node, vm, tronicle } = config;
  const graphql = await freePort();
  return {
    ...config,
    vm: { ...vm, supportConstant: true },
    tronicle: {
      ...tronicle,
      http: { ...tronicle.http, enable: true, port: graphql },
      jsonrpc: { ...tronicle.jsonrpc, debug: true },
      projections: indexes,
      v1: { enable: indexes.length > 0 },
      api: { ...tronicle.api, workers: Number(process.env['TRONICLE_BENCH_WORKERS'] ?? tronicle.api.workers) },
    },
    // Removes the rate limits, because the benchmark measures the server.
    rateLimiter: {
      ...config.rateLimiter,
      global: { qps: 1_000_000, ip: { qps: 1_000_000 }, api: { qps: 1_000_000 } },
      http: UNLIMITED_SERVLETS.map(unlimited),
      rpc: UNLIMITED_METHODS.map(unlimited),
    },
    node: {
      ...node,
      maxHttpConnectNumber: 1_000,
      maxTransactionPendingSize: PENDING_MAX,
      http: { ...node.http, fullNodePort: http!, solidityPort: httpSolid!, pbftPort: httpPbft! },
      rpc: { ...node.rpc, port: rpc!, solidityPort: rpcSolid!, pbftPort: rpcPbft! },
      jsonrpc: {
        ...node.jsonrpc,
        httpFullNodeEnable: true,
        httpFullNodePort: json!,
        httpSolidityPort: jsonSolid!,
        httpPBFTPort: jsonPbft!,
      },
    },
  };
}

export function startLoad(job: LoadJob): { readonly child: ChildProcess; readonly result: Promise<LoadResult> } {
  const child = spawn(process.execPath, ['--import', 'tsx', client], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin!.end(JSON.stringify(job));
  let text = '';
  child.stdout!.on('data', (chunk) => {
    text += chunk;
  });
  const result = new Promise<LoadResult>((resolve, reject) => {
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(text) as LoadResult) : reject(new Error(`load ${code}`)),
    );
  });
  return { child, result };
}

/** Returns a contract call of the chain. It is sent repeatedly as a constant call. */
function contractCall(blocks: readonly DecodedBlock[]): { owner: string; contract: string; data: string } {
  const call = blocks.flatMap(({ transactions }) => transactions).find(({ contractType }) => contractType === 31)!;
  const { ownerAddress, contractAddress, data } = call.parameter as unknown as Record<string, Uint8Array>;
  const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes!).toString('hex');
  return { owner: hex(ownerAddress), contract: hex(contractAddress), data: hex(data) };
}

/**
 * Returns an `Account` message (hex) with an address.
 * @param mark number in the name field; makes the request different from others without an effect on the answer
 */
const accountRequest = (address: string, mark?: number): string =>
  `1a15${address}${mark === undefined ? '' : `0a04${mark.toString(16).padStart(8, '0')}`}`;

const rpc = (method: string, params: unknown[]): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

type Job = Pick<LoadJob, 'port' | 'path' | 'body' | 'method' | 'requests'>;

/** Returns requests for the state at the head of a chain, by their name in the output of the benchmark. */
function interfaceJobs(blocks: readonly DecodedBlock[], ports: Ports): Readonly<Record<string, Job>> {
  const { owner, contract, data } = contractCall(blocks);
  const head = blocks.at(-1)?.number ?? 0;
  const [http, json, grpc] = [ports.http.fullnode, ports.jsonrpc.fullnode, ports.grpc.fullnode];
  const logs = {
    fromBlock: `0x${(head - 300).toString(16)}`,
    toBlock: `0x${head.toString(16)}`,
    address: `0x${contract.slice(2)}`,
  };
  return {
    getnowblock: { port: http, path: '/wallet/getnowblock', body: '{}' },
    getaccount: { port: http, path: '/wallet/getaccount', body: JSON.stringify({ address: owner }) },
    triggerconstantcontract: {
      port: http,
      path: '/wallet/triggerconstantcontract',
      body: JSON.stringify({ owner_address: owner, contract_address: contract, data }),
    },
    eth_blockNumber: { port: json, path: '/jsonrpc', body: rpc('eth_blockNumber', []) },
    'eth_getLogs of 300 blocks': { port: json, path: '/jsonrpc', body: rpc('eth_getLogs', [logs]) },
    'gRPC GetAccount': { port: grpc, method: 'protocol.Wallet/GetAccount', requests: [accountRequest(owner)] },
    'gRPC GetAccount, never the same request': {
      port: grpc,
      method: 'protocol.Wallet/GetAccount',
      requests: Array.from({ length: DIFFERENT_REQUESTS }, (_, at) => accountRequest(owner, at)),
    },
  };
}

export function portsOf({ node }: NodeConfig): Ports {
  const { http, rpc, jsonrpc } = node;
  return {
    http: { fullnode: http.fullNodePort, solidity: http.solidityPort, pbft: http.pbftPort },
    jsonrpc: { fullnode: jsonrpc.httpFullNodePort, solidity: jsonrpc.httpSolidityPort, pbft: jsonrpc.httpPBFTPort },
    grpc: { fullnode: rpc.port, solidity: rpc.solidityPort, pbft: rpc.pbftPort },
  };
}

/**
 * Measures the requests per second of six interfaces, or of those in `only`, over 16 connections. Compares them with a
 * plain Fastify route and a plain gRPC call. If the environment contains the folder of a compiled java-tron, also
 * measures java-tron on the same chain.
 */
export async function apiBench(folder: string, figures: Figures, only: readonly string[] = []): Promise<void> {
  const served = await openServed(folder);
  const { chain, config, blocks } = served;
  for (const block of blocks) chain.importBlock(block);
  await chain.ledger.flush();
  const thread = await served.serve();
  const bare = await bareRoute();
  console.log(
    `API under ${CONNECTIONS} connections: bare Fastify route ${bare.perSecond.toFixed(0)}/s, p99 ${bare.p99.toFixed(1)} ms, ${bare.cpuUs.toFixed(0)} µs of CPU each`,
  );
  const call = await bareCall();
  console.log(`   bare gRPC call ${call.perSecond.toFixed(0)}/s, ${call.cpuUs.toFixed(0)} µs of CPU each`);
  const jobsAt = (ports: Ports): [string, Job][] =>
    Object.entries(interfaceJobs(blocks, ports)).filter(
      ([name]) => only.length === 0 || only.some((start) => name.startsWith(start)),
    );
  const rates = new Map<string, number>();
  for (const [name, job] of jobsAt(portsOf(config))) {
    const { perSecond, p99, failed, cpuUs } = await loaded({ ...job, connections: CONNECTIONS, ms: LOAD_MS });
    rates.set(name, perSecond);
    figures.note(`interfaces: ${name}`, perSecond, 'answers/s', perSecond / bare.perSecond);
    const ratio = (perSecond / bare.perSecond).toFixed(2);
    console.log(
      `   ${name}: ${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms, ${ratio} of bare, ${cpuUs.toFixed(0)} µs of CPU each, ${failed} failed`,
    );
  }
  await thread.close();
  await served.close();
  const reference = namedReference();
  if (reference === undefined) return;
  await besideReference({ reference, folder, blocks, jobsAt }, (name, { perSecond, failed, cpuUs }) => {
    const ratio = (rates.get(name) ?? 0) / perSecond;
    figures.note(`interfaces: ${name}, beside java-tron`, ratio, '×');
    console.log(
      `   java-tron, ${name}: ${perSecond.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs of CPU each, ${failed} failed; here ${ratio.toFixed(2)} ×`,
    );
  });
}

interface ReferenceLoad {
  /** Folder of a compiled java-tron. */
  readonly reference: string;
  readonly folder: string;
  readonly blocks: readonly DecodedBlock[];
  readonly jobsAt: (ports: Ports) => readonly [string, Job][];
}

/** Measures java-tron. A warm-up before each measurement lets its JIT compiler optimize the code. */
async function besideReference(
  { reference, folder, blocks, jobsAt }: ReferenceLoad,
  onResult: (name: string, result: LoadResult & { readonly cpuUs: number }) => void,
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const node = await ReferenceNode.start(reference, data, folder, { more: UNLIMITED });
  try {
    for (const { bytes } of blocks) await node.push(Buffer.from(bytes));
    for (const [name, job] of jobsAt(node.ports)) {
      const load = { ...job, connections: CONNECTIONS };
      await startLoad({ ...load, ms: WARM_UP_MS }).result;
      onResult(name, await loaded({ ...load, ms: LOAD_MS }, () => node.cpuUs()));
    }
  } finally {
    node.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Returns the request rate, and the CPU time of the server per answer. On a busy machine, the CPU time is more
 * reliable.
 */
async function loaded(job: LoadJob, cpuUs = ownCpuUs): Promise<LoadResult & { readonly cpuUs: number }> {
  const before = cpuUs();
  const result = await startLoad(job).result;
  return { ...result, cpuUs: (cpuUs() - before) / ((result.perSecond * job.ms) / 1000) };
}

function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function bareRoute(): ReturnType<typeof loaded> {
  const app = Fastify();
  app.post('/', async () => ({ answer: 42 }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const result = await loaded({ port, path: '/', body: '{}', connections: CONNECTIONS, ms: LOAD_MS });
  await app.close();
  return result;
}

/**
 * Measures a gRPC method that returns fixed bytes of the same size. This is the cost of a call without the cost of
 * computing the answer.
 */
async function bareCall(): ReturnType<typeof loaded> {
  const server = new Server();
  const bytes = (message: Buffer): Buffer => message;
  const answer = Buffer.alloc(200);
  server.register(
    '/bare.Bare/Answer',
    (_call: unknown, reply: sendUnaryData<Buffer>) => reply(null, answer),
    bytes,
    bytes,
    'unary',
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    );
  });
  const job = { port, method: 'bare.Bare/Answer', requests: ['1a1541'], connections: CONNECTIONS, ms: LOAD_MS };
  const result = await loaded(job);
  server.forceShutdown();
  return result;
}

/**
 * Measures the time from the push of a block until it is on disk. Compares times without and with 64 clients (nice 19)
 * that send constant calls.
 */
export async function floodBench(folder: string, figures: Figures): Promise<void> {
  const served = await openServed(folder);
  const { chain, config, blocks } = served;
  const size = TURN_BLOCKS * TURNS;
  for (const block of blocks.slice(0, -size)) chain.importBlock(block);
  await chain.ledger.flush();
  const thread = await served.serve();
  const { owner, contract, data } = contractCall(blocks);
  const body = JSON.stringify({ owner_address: owner, contract_address: contract, data });
  const path = '/wallet/triggerconstantcontract';
  const times = { idle: [] as number[], flooded: [] as number[] };
  const rest = blocks.slice(-size);
  let answered = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const kind = turn % 2 === 0 ? 'idle' : 'flooded';
    const job = {
      port: config.node.http.fullNodePort,
      path,
      body,
      connections: FLOOD_CLIENTS,
      ms: TURN_BLOCKS * 100 + 1500,
    };
    const load = kind === 'idle' ? undefined : startLoad(job);
    if (load !== undefined) {
      setPriority(load.child.pid!, 19);
      await pause(1500);
    }
    for (const block of rest.splice(0, TURN_BLOCKS)) {
      const started = performance.now();
      chain.importBlock(block);
      await chain.ledger.flush();
      times[kind].push(performance.now() - started);
      await pause(100 - Math.min(99, performance.now() - started));
    }
    answered += (await load?.result)?.perSecond ?? 0;
  }
  await thread.close();
  await served.close();
  const at = (list: number[], share: number): number => list.sort((a, b) => a - b)[Math.floor(list.length * share)]!;
  const [flooded, idle] = [at(times.flooded, 0.99), at(times.idle, 0.99)];
  figures.note('interfaces: block push under a flood, p99', flooded, 'ms', flooded / idle);
  const shown = (list: number[]): string =>
    `median ${at(list, 0.5).toFixed(1)} ms, p99 ${at(list, 0.99).toFixed(1)} ms`;
  console.log(
    `flood of ${FLOOD_CLIENTS} clients (${((answered * 2) / TURNS).toFixed(0)} constant calls/s): block push ${shown(times.flooded)}; idle ${shown(times.idle)}; ` +
      `median ${(at(times.flooded, 0.5) / at(times.idle, 0.5)).toFixed(2)}×, p99 ${(at(times.flooded, 0.99) / at(times.idle, 0.99)).toFixed(2)}×`,
  );
}

/** Init code of an endless loop. It runs until its time limit. */
const ENDLESS = '5b600056';

/**
 * Measures fast requests over 16 connections. Compares rates without and with 64 clients whose calls use their full
 * time limit.
 */
export async function costlyBench(folder: string, figures: Figures): Promise<void> {
  const served = await openServed(folder);
  const { chain, config, blocks } = served;
  for (const block of blocks) chain.importBlock(block);
  await chain.ledger.flush();
  const thread = await served.serve();
  const port = config.node.http.fullNodePort;
  const { owner } = contractCall(blocks);
  const costly = {
    port,
    path: '/wallet/triggerconstantcontract',
    body: JSON.stringify({ owner_address: owner, data: ENDLESS }),
    connections: FLOOD_CLIENTS,
    ms: LOAD_MS + 4000,
  };
  const inexpensive = { port, path: '/wallet/getnowblock', body: '{}', connections: CONNECTIONS, ms: LOAD_MS };
  const idle = await startLoad(inexpensive).result;
  const flood = startLoad(costly);
  setPriority(flood.child.pid!, 19);
  await pause(3000);
  const flooded = await startLoad(inexpensive).result;
  const { perSecond } = await flood.result;
  await thread.close();
  await served.close();
  const name = 'interfaces: getnowblock beside endless calls';
  figures.note(name, flooded.perSecond, 'answers/s', flooded.perSecond / idle.perSecond);
  const shown = ({ perSecond: rate, p50, p99 }: LoadResult): string =>
    `${rate.toFixed(0)}/s, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  console.log(
    `getnowblock under ${FLOOD_CLIENTS} clients of endless calls (${perSecond.toFixed(0)}/s): ${shown(flooded)}; idle ${shown(idle)}`,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
