import type { TronicleNode } from './node.js';
import { serveHttp } from './serve-http.js';
import { addSinks } from './serve-sinks.js';

/** Starts everything that serves a node to the outside, as its configuration says. */
export async function startServices(node: TronicleNode): Promise<void> {
  addSinks(node);
  node.add(await serveHttp({ chain: node.chain, config: node.config, log: node.log, now: node.clock.now }));
}
