import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import type { GrpcCall } from '../../src/api/grpc/grpc-method.js';
import { FilterStore } from '../../src/api/jsonrpc/logs/filter-store.js';
import { LogSearch } from '../../src/api/jsonrpc/logs/find-logs.js';
import { rpcMethods } from '../../src/api/jsonrpc/methods/methods.js';
import { type ServerName, serverViews } from '../../src/api/servers.js';
import { NO_FLAGS } from '../../src/config/flags.js';
import { loadConfig } from '../../src/config/load-config.js';
import { openChain } from '../../src/node/open-chain.js';
import { createHttpServers } from '../../src/node/serving/serve-http.js';
import { createRpcServers } from '../../src/node/serving/serve-jsonrpc.js';
import { servedLocally } from '../../src/node/serving/served-node.js';
import { present } from '../../src/primitives/assert.js';
import { type DecodedBlock, decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { golden } from '../support/tronicle.js';
import { tryGrpc } from './grpc-fuzz.js';
import { tryHttp } from './http-fuzz.js';
import { tryHeight, tryJsonRpc } from './jsonrpc-fuzz.js';
import { Random } from './random.js';

export interface FuzzReport {
  readonly requests: number;
  readonly failed: number;
  /** Texts of failures. Each contains the seed that reproduces its request. */
  readonly failures: readonly string[];
  readonly slowest: { readonly ms: number; readonly seed: number };
  /** 99.9th percentile of the event-loop delay, in ms. */
  readonly delay99_9: number;
  readonly delayMax: number;
  /** 99.9th percentile of the CPU time of one request, in ms. It excludes other work of the machine. */
  readonly cpu99_9: number;
  readonly busiest: { readonly ms: number; readonly seed: number };
}

export interface FuzzOptions {
  readonly dataDir: string;
  /** Seed of the first request. The seed of each later request is one higher. */
  readonly seed: number;
  readonly count: number;
  /** Protocol of all requests. If undefined, all protocols are used, and half of the requests use HTTP. */
  readonly protocol?: 'http' | 'jsonrpc' | 'grpc' | undefined;
}

const FAILURES_MAX = 50;
/** Number of malformed requests between two well-formed requests. The node must answer the well-formed ones. */
const CONTROL_INTERVAL = 100;
/** Configuration that enables methods and fields that java-tron does not have. */
const BEYOND = {
  'tronicle.history.retention': 'all',
  ...Object.fromEntries(
    ['history', 'finalityTags', 'blockReceipts', 'revertData', 'debug', 'ethereum'].map((name) => [
      `tronicle.jsonrpc.${name}`,
      'true',
    ]),
  ),
};

/** Sends malformed requests one after the other over HTTP, JSON-RPC and gRPC to a node with a recorded chain. */
export async function fuzz({ dataDir, seed, count, protocol }: FuzzOptions): Promise<FuzzReport> {
  const folder = join(golden, 'off');
  const { config } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS, defaults: BEYOND });
  const failures: string[] = [];
  let current = 0;
  let total = 0;
  const fail = (text: string): void => {
    total++;
    if (failures.length < FAILURES_MAX) failures.push(`--seed ${current} --count 1: ${text}`);
  };
  // Fails for each line of the log, because an unexpected error is logged even if the response looks good.
  const log = pino({ level: 'error' }, { write: (line: string) => fail(line.slice(0, 3000)) });
  const onRejection = (reason: unknown): void => fail(`unhandled rejection: ${String(reason)}`);
  process.on('unhandledRejection', onRejection);
  const chain = await openChain({ config, dataDir, log });
  const known = new Set<string>();
  for (const { num, block } of blocksOf(folder)) {
    if (num === 0) continue;
    const decoded = decodeBlock(Buffer.from(block, 'hex'));
    chain.importBlock(decoded);
    collect(decoded, known);
  }
  const node = servedLocally({ chain, config, log, now: Date.now });
  const http = createHttpServers(node);
  const rpc = createRpcServers(node);
  const methods = methodNames(node);
  const call = (server: ServerName): GrpcCall => ({
    api: node.api,
    view: node.api.view(serverViews[server]),
    remembered: node.remembered,
  });
  const rpcServers = [...rpc.servers.values()];
  const corpus = [...known];
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let slowest = { ms: 0, seed };
  let busiest = { ms: 0, seed };
  const cpu = createHistogram();
  for (let at = 0; at < count; at++) {
    current = seed + at;
    const random = new Random(current, corpus);
    const started = performance.now();
    const usage = process.cpuUsage();
    const share = random.next();
    const chosen = protocol ?? (share < 0.5 ? 'http' : share < 0.75 ? 'jsonrpc' : 'grpc');
    const wrong = await (chosen === 'http'
      ? tryHttp(http, random)
      : chosen === 'jsonrpc'
        ? tryJsonRpc(random.pick(rpcServers), methods, random)
        : tryGrpc(call, random));
    if (wrong !== undefined) fail(wrong);
    if (at % CONTROL_INTERVAL === 0) {
      const refused = await tryHeight(
        present(rpc.servers.get('fullnode'), 'enabled'),
        chain.ledger.position.headNumber,
      );
      if (refused !== undefined) fail(refused);
    }
    const ms = performance.now() - started;
    if (ms > slowest.ms) slowest = { ms, seed: current };
    const { user, system } = process.cpuUsage(usage);
    cpu.record(1 + user + system);
    if ((user + system) / 1000 > busiest.ms) busiest = { ms: (user + system) / 1000, seed: current };
    chain.mempool.clear();
    // Lets the event loop run, because a server also handles each request in another turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  delay.disable();
  await rpc.close();
  for (const server of http.values()) await server.close();
  await chain.ledger.close();
  process.off('unhandledRejection', onRejection);
  const [delay99_9, delayMax, cpu99_9] = [delay.percentile(99.9) / 1e6, delay.max / 1e6, cpu.percentile(99.9) / 1000];
  return { requests: count, failed: total, failures, slowest, delay99_9, delayMax, cpu99_9, busiest };
}

/** Adds the ids of a block and its transactions, and the addresses in them, to a set. */
function collect({ idHex, transactions }: DecodedBlock, into: Set<string>): void {
  into.add(idHex);
  for (const { idHex: id, owner, raw } of transactions) {
    into.add(id).add(owner);
    const inside = Buffer.from(raw.contract[0]?.parameter?.value ?? []).toString('hex');
    for (const [address] of inside.matchAll(/41[0-9a-f]{40}/g)) into.add(address);
  }
}

function blocksOf(folder: string): { num: number; block: string }[] {
  const lines = gunzipSync(readFileSync(join(folder, 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as { num: number; block: string });
}

function methodNames({ api, config, now }: ReturnType<typeof servedLocally>): readonly string[] {
  const parts = {
    api,
    view: 'head',
    features: config.tronicle.jsonrpc,
    filters: new FilterStore(now, api.settings),
    producers: [],
  } as const;
  return [...rpcMethods({ ...parts, logs: new LogSearch(api.settings.release) }).keys()];
}
