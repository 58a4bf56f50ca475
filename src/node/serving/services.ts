import { BlockReader } from '../../api/read-block.js';
import { apiRelease } from '../../api/releases/releases.js';
import { openGivenAbis } from '../../content/abi/given-abis.js';
import { serveAdmin } from '../admin/serve-admin.js';
import { createNetworkControl } from '../devnet/network-control.js';
import { errorsOf } from '../logging.js';
import { NodeMetrics } from '../metrics/node-metrics.js';
import type { Service, TronicleNode } from '../node.js';
import type { ReplicaLag } from '../replica/replica-lag.js';
import { addSinks } from '../sinks/serve-sinks.js';
import { ApiThread } from '../threads/api-thread/api-thread.js';
import { gateOf } from './create-gate.js';
import { checkProjections, startProjections } from './secondary-projections.js';
import { serveFollowers } from './serve-followers.js';
import { serveGraphql } from './serve-graphql.js';
import { serveGrpc } from './serve-grpc.js';
import { serveHttp } from './serve-http.js';
import { serveInflux } from './serve-influx.js';
import { serveJsonRpc } from './serve-jsonrpc.js';
import { serveExporter } from './serve-metrics.js';
import { type ServedNode, servedLocally } from './served-node.js';

/**
 * Starts everything that serves a node to the outside, as its configuration says.
 * @param lag of a replica, for its metrics
 */
export async function startServices(node: TronicleNode, lag?: ReplicaLag): Promise<void> {
  const { chain, config, log, clock, dataDir, keys, peers, voted } = node;
  checkProjections(config.tronicle.projections);
  const sinks = addSinks(node);
  const control = createNetworkControl(node);
  const admin = await serveAdmin(node, sinks.control, control);
  if (admin !== undefined) node.add(admin);
  const metrics = new NodeMetrics({
    chain,
    dataDir,
    hasMeters: config.node.metricsEnable,
    hasLaterMetrics: apiRelease(config.tronicle.release).hasLaterMetrics,
    sinks: sinks.statuses,
    lag,
    errors: errorsOf(log),
    peers,
  });
  node.add(metrics);
  const producers = keys.addresses;
  const votedHeight = (): number => voted.number;
  if (ApiThread.isCompiled)
    node.add(await ApiThread.start({ chain, config, dataDir, clock, log, producers, metrics, peers, voted, control }));
  else
    for (const service of await serveApis(
      servedLocally({ chain, config, log, now: clock.now, dataDir, producers, metrics, peers, votedHeight, control }),
    ))
      node.add(service);
}

/** Serves HTTP, gRPC, JSON-RPC and GraphQL on their ports. */
export async function serveApis(served: ServedNode): Promise<readonly Service[]> {
  const { ledger, holdChanges, dataDir, config, log } = served;
  const { addressPrefix, tronicle } = config;
  const projections = startProjections({
    ledger,
    holdChanges,
    dataDir,
    names: tronicle.projections,
    addressPrefix,
    log,
  });
  const abis = dataDir === undefined ? undefined : openGivenAbis({ dataDir, log });
  const blocks = new BlockReader(ledger);
  const node = { ...served, projections, blocks, abis, gate: gateOf(served) };
  const followers = serveFollowers(node);
  const services = [
    projections,
    await serveHttp(node),
    await serveGrpc(node),
    await serveJsonRpc(node),
    followers,
    await serveGraphql(node, followers?.addresses),
    await serveExporter(node),
    serveInflux(node),
  ];
  return services.filter((service) => service !== undefined);
}
