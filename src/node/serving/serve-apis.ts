import { BlockReader } from '../../api/context/read-block.js';
import { openOperatorAbis } from '../../encoding/abi/operator-abis.js';
import type { Service } from '../lifecycle/node.js';
import { createMiddleware } from './create-gate.js';
import { nodeReadiness } from './node-readiness.js';
import { openProjections, startProjections } from './secondary-projections.js';
import { serveFollowers } from './serve-followers.js';
import { serveGraphql } from './serve-graphql.js';
import { serveGrpc } from './serve-grpc.js';
import { serveHttp } from './serve-http.js';
import { serveInflux } from './serve-influx.js';
import { createRpcServers, serveJsonRpc } from './serve-jsonrpc.js';
import { serveExporter } from './serve-metrics.js';
import type { ServedNode } from './served-node.js';

/**
 * Starts all API servers on their ports. Only the first API thread builds the index projections, serves browser light
 * clients and the metrics exporter, and pushes to InfluxDB.
 */
export async function serveApis(served: ServedNode): Promise<readonly Service[]> {
  const { ledger, retainChanges, dataDir, config, log, role } = served;
  const isFirst = role?.isFirst ?? true;
  const { addressPrefix, tronicle } = config;
  const projections = (isFirst ? startProjections : openProjections)({
    ledger,
    retainChanges,
    dataDir,
    names: tronicle.projections,
    addressPrefix,
    log,
  });
  const abis = dataDir === undefined ? undefined : openOperatorAbis({ dataDir, log });
  const blocks = new BlockReader(ledger);
  const node = {
    ...served,
    projections,
    blocks,
    abis,
    gate: served.gate ?? createMiddleware(served),
    notReady: nodeReadiness(served),
  };
  const rpc = createRpcServers(node);
  const followers = isFirst ? serveFollowers(node) : undefined;
  if (followers !== undefined) role?.announce(followers.addresses);
  const services = [
    projections,
    await serveHttp(node, rpc.onHttpPort),
    await serveGrpc(node),
    await serveJsonRpc(node, rpc),
    followers,
    await serveGraphql(node, followers?.addresses ?? role?.followed),
    isFirst ? await serveExporter(node) : undefined,
    isFirst ? serveInflux(node) : undefined,
  ];
  return services.filter((service) => service !== undefined);
}
