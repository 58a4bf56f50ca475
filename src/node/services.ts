import type { TronicleNode } from './node.js';
import { addGraphql } from './serve-graphql.js';
import { serveGrpc } from './serve-grpc.js';
import { serveHttp } from './serve-http.js';
import { serveJsonRpc } from './serve-jsonrpc.js';
import { addSinks } from './serve-sinks.js';

/** Starts everything that serves a node to the outside, as its configuration says. */
export async function startServices(node: TronicleNode): Promise<void> {
  addSinks(node);
  const served = { chain: node.chain, config: node.config, log: node.log, now: node.clock.now };
  node.add(await serveHttp(served));
  node.add(await serveGrpc(served));
  node.add(await serveJsonRpc(served, node.keys.addresses));
  await addGraphql(node);
}
