import type { NodeConfig } from '../config/load-config.js';
import { loadConfig } from '../config/load-config.js';
import { createLog } from '../logging.js';
import { TronicleNode } from '../node.js';
import { startServices } from '../services.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';

/** The node. */
export const run: Command = {
  name: 'run',
  summary: 'runs the node (the default command); the flags of the reference work with their names',
  usage: 'tronicle run [-c <config>] [-d <data folder>] [--witness] [--p2p-disable true] [--es] …',
  run: runNode,
};

async function runNode(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, {});
  const log = createLog();
  const { config, warnings } = loadConfig({ flags });
  for (const warning of warnings) log.warn(warning);
  const node = await TronicleNode.open({ config, dataDir: config.outputDirectory, log });
  const { headNumber } = node.chain.ledger.position;
  if (node.target.isReached && !config.p2pDisable) {
    log.info(`Auto-stop hit: shutDownBlockHeight: ${headNumber}, currentHeaderNum: ${headNumber}, exit now`);
    await node.close();
    return 0;
  }
  if (!config.p2pDisable) log.warn('this release has no peer layer: it serves what it has, and what it produces');
  await startServices(node);
  node.startProducing();
  log.info({ head: headNumber, ports: portsOf(config) }, 'node runs');
  await untilStopped();
  log.info('node stops');
  await node.close();
  return 0;
}

/** Ends with SIGTERM or SIGINT. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

function portsOf({ node }: NodeConfig): Record<string, number> {
  return { http: node.http.fullNodePort, grpc: node.rpc.port, jsonrpc: node.jsonrpc.httpFullNodePort };
}
