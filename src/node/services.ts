import type { TronicleNode } from './node.js';
import { addSinks } from './serve-sinks.js';

/** Starts everything that serves a node to the outside, as its configuration says. */
export async function startServices(node: TronicleNode): Promise<void> {
  addSinks(node);
}
