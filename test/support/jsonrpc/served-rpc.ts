import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NO_FEATURES, type RpcFeatures } from '../../../src/api/jsonrpc/methods/features.js';
import type { ServerName } from '../../../src/api/servers.js';
import type { Chain } from '../../../src/chain/chain.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig, type NodeConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { createRpcServers } from '../../../src/node/serving/serve-jsonrpc.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import type { Retention } from '../../../src/projections/ledger/ledger.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { silent } from '../projections/chain.js';
import { temporaryFolder } from '../temporary-folder.js';
import { golden } from '../tronicle.js';

export interface RpcReply<T> {
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
}

export interface ServedRpc {
  readonly chain: Chain;
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly ports: Readonly<Record<ServerName, number>>;
  /** Encoded blocks recorded from java-tron, by height. */
  readonly blocks: ReadonlyMap<number, string>;
  /** Imports recorded blocks up to a height. */
  pushTo(height: number): Promise<void>;
  request<T>(method: string, params: readonly unknown[], server?: ServerName): Promise<RpcReply<T>>;
  /**
   * Calls a method and returns its result.
   * @throws {Error} the answer is an error
   */
  get<T>(method: string, params: readonly unknown[], server?: ServerName): Promise<T>;
}

interface Options {
  readonly features?: Partial<RpcFeatures>;
  readonly until?: number;
  readonly retention?: Retention;
  /** True to enable the index of event logs. */
  readonly hasIndex?: boolean;
  /** Witness addresses whose keys this node has. */
  readonly producers?: readonly Uint8Array[];
}

/** Starts the three JSON-RPC servers over a ledger into which a recording was imported. */
export async function serveRpc(
  t: { teardown(run: () => void | Promise<void>): void },
  name: string,
  { features = {}, until = Number.POSITIVE_INFINITY, retention = 'all', hasIndex = true, producers = [] }: Options = {},
): Promise<ServedRpc> {
  const folder = join(golden, name);
  const { config: read } = loadConfig({ file: join(folder, 'config.conf'), flags: parseFlags(flagsOf(folder)).flags });
  const jsonrpc = { ...read.node.jsonrpc, httpFullNodeEnable: true, httpSolidityEnable: true, httpPBFTEnable: true };
  const config = {
    ...read,
    node: { ...read.node, jsonrpc },
    tronicle: { ...read.tronicle, history: { retention }, jsonrpc: { ...NO_FEATURES, ...features } },
  };
  const blocks = new Map(
    gunzipSync(readFileSync(join(folder, 'blocks.ndjson.gz')))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { num: number; block: string })
      .map(({ num, block }) => [num, block]),
  );
  const dataDir = temporaryFolder(t);
  const chain = await openChain({ config, dataDir, log: silent });
  const node = servedLocally({ chain, producers, config, log: silent, now: Date.now, ...(hasIndex && { dataDir }) });
  const { servers, close } = createRpcServers(node);
  t.teardown(async () => {
    await close();
    await chain.ledger.close();
  });
  const pushTo = async (height: number): Promise<void> => {
    const first = chain.ledger.position.headNumber + 1;
    for (let number = first; number <= height && blocks.has(number); number++) {
      chain.importBlock(decodeBlock(fromHex(blocks.get(number)!)));
      chain.mempool.clear();
    }
    await chain.ledger.flush();
  };
  await pushTo(until);
  const ports: Record<string, number> = {};
  for (const [server, app] of servers) {
    await app.listen({ port: 0, host: '127.0.0.1' });
    ports[server] = (app.server.address() as AddressInfo).port;
  }
  const request = async <T>(method: string, params: readonly unknown[], server: ServerName = 'fullnode') => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const reply = await fetch(`http://127.0.0.1:${ports[server]}/jsonrpc`, { method: 'POST', body });
    return (await reply.json()) as RpcReply<T>;
  };
  const get = async <T>(method: string, params: readonly unknown[], server: ServerName = 'fullnode') => {
    const { result, error } = await request<T>(method, params, server);
    if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
    return result as T;
  };
  return { chain, config, dataDir, ports: ports as ServedRpc['ports'], blocks, pushTo, request, get };
}

function flagsOf(folder: string): string[] {
  const file = join(folder, 'run.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { flags: string[] }).flags : [];
}
