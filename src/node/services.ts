import type { TronicleNode } from './node.js';
import { addGraphql } from './serve-graphql.js';
import { serveGrpc } from './serve-grpc.js';
import { type ServedNode, serveHttp } from './serve-http.js';
import { serveJsonRpc } from './serve-jsonrpc.js';
import { addSinks } from './serve-sinks.js';
import { warnUnserved } from './warn-unserved.js';

/** Starts everything that serves a node to the outside, as its configuration says. */
export async function startServices(node: TronicleNode): Promise<void> {
  warnUnserved(node.config, node.log);
  addSinks(node);
  const served = { chain: node.chain, config: node.config, log: node.log, now: node.clock.now };
  for (const service of await serveApis(served, node.keys.addresses)) node.add(service);
  await addGraphql(node);
}

/**
 * Serves HTTP, gRPC and JSON-RPC on their ports.
 *
 * @param producers addresses of the witnesses whose keys this node has
 */
export async function serveApis(
  served: ServedNode,
  producers: readonly Uint8Array[],
): Promise<readonly { close(): Promise<void> }[]> {
  return [await serveHttp(served), await serveGrpc(served), await serveJsonRpc(served, producers)];
}
