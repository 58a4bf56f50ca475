import type { NodeConfig } from '../../config/load-config.js';
import { loadConfig } from '../../config/load-config.js';
import { withSourceFlags } from '../../config/rows/source-row.js';
import { readArguments } from '../command-line/read-arguments.js';
import { withSecretFiles } from '../command-line/secret-files.js';
import { TronicleNode } from '../lifecycle/node.js';
import { createLog, logLevel } from '../logging.js';
import { runReplica } from '../replica/run-replica.js';
import { runSolidityNode } from '../solidity/run-solidity-node.js';
import { startPeers } from '../startup/start-peers.js';
import { startServices } from '../startup/start-services.js';
import { untilStopped } from '../until-stopped.js';
import { startBackup } from '../witness/start-backup.js';
import type { Command } from './command.js';

/** Runs the node. */
export const run: Command = {
  run: runNode,
};

async function runNode(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'run');
  const { options } = parsed;
  const option = options.get('--log-level');
  logLevel({ option });
  const { flags, warnings: onSecrets } = withSecretFiles(parsed);
  const { config: loaded, warnings } = loadConfig({ flags });
  const log = createLog({ level: logLevel({ option, key: loaded.tronicle.log.level }) });
  log.info({ release: loaded.tronicle.release }, 'node starting');
  for (const warning of [...onSecrets, ...warnings]) log.warn(warning);
  const source = withSourceFlags(loaded.tronicle.source, {
    url: options.get('--source'),
    submit: options.get('--submit'),
  });
  if (loaded.tronicle.devnet.control)
    log.warn('tronicle.devnet.control ignored: only `tronicle devnet` supports control of time and snapshots');
  const config = {
    ...loaded,
    tronicle: { ...loaded.tronicle, source, devnet: { ...loaded.tronicle.devnet, control: false } },
  };
  if (config.isSolidityNode) return runSolidityNode(config, log);
  if (source !== undefined) return runReplica(config, source, log);
  const node = await TronicleNode.open({ config, dataDir: config.outputDirectory, log });
  const { headNumber } = node.chain.ledger.position;
  if (node.target.isReached && !config.p2pDisable) {
    log.info(`Auto-stop hit: shutDownBlockHeight: ${headNumber}, currentHeaderNum: ${headNumber}, exit now`);
    await node.close();
    return 0;
  }
  // Sets the signal handlers before the first server listens, so that a signal at any later time closes the node.
  const stopped = untilStopped(node.mustStop);
  try {
    await startServices(node);
    await startBackup(node);
    if (!config.p2pDisable) await startPeers(node);
  } catch (error) {
    await node.close();
    throw error;
  }
  node.startProducing();
  log.info({ head: headNumber, ports: portsOf(config) }, 'node started');
  await stopped;
  log.info('node stopping');
  await node.close();
  return node.failure === undefined ? 0 : 1;
}

function portsOf({ node }: NodeConfig): Record<string, number> {
  return { http: node.http.fullNodePort, grpc: node.rpc.port, jsonrpc: node.jsonrpc.httpFullNodePort };
}
