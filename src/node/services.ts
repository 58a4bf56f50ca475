import type { TronicleNode } from './node.js';

/** Starts everything that serves a node to the outside, as its configuration says. */
export async function startServices(_node: TronicleNode): Promise<void> {}
