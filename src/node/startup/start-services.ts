import { apiRelease } from '../../api/releases/releases.js';
import type { NodeConfig } from '../../config/load-config.js';
import { serveAdmin } from '../admin/serve-admin.js';
import { createNetworkControl } from '../devnet/network-control.js';
import type { TronicleNode } from '../lifecycle/node.js';
import { droppedLinesOf, errorsOf } from '../logging.js';
import { NodeMetrics } from '../metrics/node-metrics.js';
import type { NodeRole } from '../metrics/operator-metrics.js';
import type { ReplicaLag } from '../metrics/replica-lag.js';
import { checkProjections } from '../serving/secondary-projections.js';
import { serveApis } from '../serving/serve-apis.js';
import { servedLocally } from '../serving/served-node.js';
import { addSinks } from '../sinks/serve-sinks.js';
import { ApiThreads } from '../threads/api-threads/api-threads.js';
import { unusedApiNames } from './unused-api-names.js';

/** Starts all configured services of a node. @param lag lag of a replica, for its metrics; undefined for other nodes */
export async function startServices(node: TronicleNode, lag?: ReplicaLag): Promise<void> {
  const { chain, config, log, clock, dataDir, keys, peers, voted } = node;
  checkProjections(config.tronicle.projections);
  for (const warning of unusedApiNames(config)) log.warn(warning);
  const sinks = addSinks(node);
  const control = createNetworkControl(node);
  const admin = await serveAdmin(node, sinks.control, control);
  if (admin !== undefined) node.add(admin);
  const metrics = new NodeMetrics({
    chain,
    dataDir,
    log,
    hasMeters: config.node.metricsEnable,
    hasLaterMetrics: apiRelease(config.tronicle.release).hasLaterMetrics,
    sinks: sinks.statuses,
    lag,
    errors: errorsOf(log),
    peers,
    release: config.tronicle.release,
    role: roleOf(config, lag !== undefined),
    droppedLines: () => droppedLinesOf(log),
    producers: keys.addresses,
    isMaster: () => node.isMaster(),
  });
  node.add(metrics);
  const producers = keys.addresses;
  const votedHeight = (): number => voted.number;
  if (ApiThreads.isCompiled)
    node.add(await ApiThreads.start({ chain, config, dataDir, clock, log, producers, metrics, peers, voted, control }));
  else
    for (const service of await serveApis(
      servedLocally({ chain, config, log, now: clock.now, dataDir, producers, metrics, peers, votedHeight, control }),
    ))
      node.add(service);
}

function roleOf({ isSolidityNode, witness }: NodeConfig, isReplica: boolean): NodeRole {
  if (isReplica) return 'replica';
  if (isSolidityNode) return 'solidity';
  return witness.enabled ? 'witness' : 'full';
}
