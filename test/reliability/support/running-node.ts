import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.js';
import { startTronicle } from '../../support/tronicle.js';
import { enterMemoryGroup, withinMemoryLimit } from './memory-limit.js';

const template = fileURLToPath(new URL('../../../config/devnet.conf', import.meta.url));
const SLOT_MS = 3000;
const TIMEOUT_MS = 120_000;
/** Ports in the configuration template, by server. `start` replaces each by a free port. */
const PORTS = {
  http: 8090,
  solidity: 8091,
  pbft: 8092,
  grpc: 50051,
  grpcSolidity: 50061,
  grpcPbft: 50071,
  jsonRpc: 8545,
  jsonRpcSolidity: 8555,
  jsonRpcPbft: 8565,
  graphql: 8080,
} as const;

/** Rate limits that no test reaches. All clients have the same address, so a test would exceed the default limits. */
export const NO_RATE_LIMITS = 'rate.limiter { global.qps = 100000, global.ip.qps = 100000, global.api.qps = 100000 }';

/** Written configuration of a node. */
export interface NodeSetup {
  readonly file: string;
  /** Data folder of the node. */
  readonly data: string;
  readonly ports: Readonly<Record<keyof typeof PORTS | 'metrics', number>>;
}

/**
 * Writes the configuration of `npm start` with free ports.
 * @param genesisTime ms since 1970, a multiple of the block time
 * @param more HOCON lines after the configuration of the template
 */
export async function writeNodeConfig(dataDir: string, genesisTime: number, more = ''): Promise<NodeSetup> {
  const ports = {} as Record<keyof NodeSetup['ports'], number>;
  for (const name of [...Object.keys(PORTS), 'metrics'] as (keyof typeof ports)[]) ports[name] = await freePort();
  let text = readFileSync(template, 'utf8').replaceAll('{{genesisTime}}', String(genesisTime));
  for (const [name, port] of Object.entries(PORTS)) {
    text = text.replace(new RegExp(`\\b${port}\\b`), String(ports[name as keyof typeof PORTS]));
  }
  const own = [
    `tronicle.http.port = ${ports.graphql}`,
    `node.metrics.prometheus { enable = true, port = ${ports.metrics} }`,
    'node.metricsEnable = true',
    'tronicle.sinks = []',
  ];
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'node.conf');
  writeFileSync(file, `${text}\n${own.join('\n')}\n${more}\n`);
  return { file, data: join(dataDir, 'data'), ports };
}

/** The compiled node with the configuration of `npm start` on free ports. It produces a block every 3 s. */
export class RunningNode {
  readonly ports: NodeSetup['ports'];
  readonly process: ChildProcess;
  readonly exit: Promise<number | null>;

  private constructor(ports: NodeSetup['ports'], running: ChildProcess) {
    this.ports = ports;
    this.process = running;
    this.exit = new Promise((resolve) => running.once('close', resolve));
  }

  /** @param more HOCON lines after the configuration of the template */
  static async start(dataDir: string, more = ''): Promise<RunningNode> {
    const genesisTime = Math.floor(Date.now() / SLOT_MS) * SLOT_MS - SLOT_MS;
    return RunningNode.resume(await writeNodeConfig(dataDir, genesisTime, more));
  }

  /** Starts a node with a written configuration. Its data folder may contain blocks. */
  static async resume({ file, data, ports }: NodeSetup): Promise<RunningNode> {
    const running = startTronicle(['run', '-c', file, '-d', data, '--witness', '--p2p-disable', 'true']);
    enterMemoryGroup(running.pid);
    running.stdout!.resume();
    running.stderr!.pipe(process.stderr);
    const node = new RunningNode(ports, running);
    await node.until('answers of the node', () => node.height().then((height) => height >= 1));
    return node;
  }

  async height(): Promise<number> {
    const reply = await fetch(`http://127.0.0.1:${this.ports.http}/wallet/getnowblock`, { method: 'POST', body: '{}' });
    const block = (await reply.json()) as { block_header: { raw_data: { number?: number } } };
    return block.block_header.raw_data.number ?? 0;
  }

  /** Returns the values of all metrics. The key is the name with its labels, as printed. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const text = await (await fetch(`http://127.0.0.1:${this.ports.metrics}/metrics`)).text();
    return new Map(
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))] as const),
    );
  }

  /** Returns a text with the maximum memory of the node. @throws {Error} it is above the limit */
  memoryPeak(): string {
    return withinMemoryLimit(this.process.pid);
  }

  async stop(): Promise<number | null> {
    this.process.kill('SIGTERM');
    return this.exit;
  }

  private async until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    for (const limit = Date.now() + TIMEOUT_MS; Date.now() < limit; await sleep(100)) {
      if (this.process.exitCode !== null)
        throw new Error(`the node ended with ${this.process.exitCode} before ${what}`);
      if (await isTrue().catch(() => false)) return;
    }
    throw new Error(`waited ${TIMEOUT_MS / 1000} s until ${what}`);
  }
}
