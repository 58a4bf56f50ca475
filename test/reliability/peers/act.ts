import { P2pHelloMessage } from '../../../src/codec/generated/messages.js';
import { encodeFrame } from '../../../src/p2p/transport/frames.js';
import { encodeHello } from '../../../src/p2p/transport/framework-message.js';
import { createNodeId, toEndpoint } from '../../../src/p2p/transport/node-address.js';
import { NETWORK } from '../../support/peers/peer-node.js';
import { helloId, helloOf, sayHello } from './said.js';
import type { Stage } from './stage.js';

/** A test of one kind of peer behaviour. Peers exchange random messages with both nodes. */
export type Act = (stage: Stage) => Promise<void>;

export type Standing = 'in sync' | 'behind' | 'ahead';

/**
 * Opens a connection to each node and sends the HELLO of the connection layer. Resolves when both nodes have sent the
 * same messages.
 */
export async function greet(
  stage: Stage,
  name: string,
  changes: Partial<P2pHelloMessage> = {},
  from?: string,
): Promise<string> {
  const host = await stage.dial(name, from);
  await stage.write(name, 'sends the HELLO of the connection layer', firstHello(changes), { quietMs: 60 });
  return host;
}

export function firstHello(changes: Partial<P2pHelloMessage> = {}): Uint8Array {
  const hello = Object.assign(new P2pHelloMessage(), {
    from: toEndpoint({ id: createNodeId(), ipv4: '127.0.0.1', ipv6: undefined, port: 1 }),
    networkId: NETWORK,
    timestamp: BigInt(Date.now()),
    version: 1,
    ...changes,
  });
  return encodeFrame(encodeHello(hello));
}

/** Connects a peer to both nodes and finishes the handshake. */
export async function join(
  stage: Stage,
  name: string,
  standing: Standing = 'in sync',
  { ahead = 5, from }: { readonly ahead?: number; readonly from?: string } = {},
): Promise<void> {
  await greet(stage, name, {}, from);
  await sayStanding(stage, name, standing, ahead);
}

/**
 * Sends a HELLO whose head depends on `standing`: the head of the nodes, genesis, or a block that is `ahead` blocks
 * above the head of the nodes.
 */
export async function sayStanding(stage: Stage, name: string, standing: Standing, ahead = 5): Promise<void> {
  const { ours } = stage.nodes;
  const { ledger } = ours.node.chain;
  const head = ledger.position.headNumber;
  const other = standing === 'behind' ? helloId(ledger.blockIdAt(0) ?? new Uint8Array(0)) : undefined;
  const higher = Buffer.from(ledger.position.headId);
  higher.writeBigInt64BE(BigInt(head + ahead));
  const headBlockId = standing === 'ahead' ? helloId(higher) : other;
  await stage.say(name, `sends HELLO, ${standing}`, [
    sayHello(helloOf(ours, headBlockId === undefined ? {} : { headBlockId })),
  ]);
}
