import { HelloMessage, HelloMessageBlockId } from '../../log/codec/generated/messages.js';
import { equalBytes, fromHex } from '../../log/domain/bytes.js';
import type { LocalChain } from '../local-chain.js';
import { type NodeAddress, toEndpoint } from '../transport/node-address.js';
import { type BlockId, blockIdWith } from '../wire/block-id.js';
import type { Reason } from '../wire/messages.js';

export interface HelloOptions {
  readonly self: NodeAddress;
  /** `node.p2p.version` */
  readonly networkId: number;
  /** When the connection began, ms. */
  readonly startMs: number;
}

/** What this node says of itself and its chain. Reference: HelloMessage, release 4.7.2. */
export function createHello(chain: LocalChain, { self, networkId, startMs }: HelloOptions): HelloMessage {
  return Object.assign(new HelloMessage(), {
    from: toEndpoint(self),
    version: networkId,
    timestamp: BigInt(startMs),
    genesisBlockId: wireId(chain.genesis),
    solidBlockId: wireId(chain.solidified),
    headBlockId: wireId(chain.head),
  });
}

/** Whether each of the three ids is there at all. */
export function hasBlockIds({ genesisBlockId, solidBlockId, headBlockId }: HelloMessage): boolean {
  return [genesisBlockId, solidBlockId, headBlockId].every((id) => id !== undefined && id.hash.length > 0);
}

/**
 * Why a peer with this chain is not one for this node; undefined: it is. Reference: HandshakeService.processHelloMessage, from the
 * lowest block on. @throws {P2pError} an id that is not 32 bytes
 */
export function refusalOfHello(chain: LocalChain, hello: HelloMessage, networkId: number): Reason | undefined {
  const { head, genesis, solidified } = chain;
  if (hello.lowestBlockNum > BigInt(head.number)) return 'LIGHT_NODE_SYNC_FAIL';
  if (hello.version !== networkId) return 'INCOMPATIBLE_VERSION';
  if (!equalBytes(fromHex(idOf(hello.genesisBlockId).hex), fromHex(genesis.hex))) return 'INCOMPATIBLE_CHAIN';
  const solid = idOf(hello.solidBlockId);
  return solidified.number >= solid.number && !chain.isCanonical(solid) ? 'FORKED' : undefined;
}

/** Head of the peer. @throws {P2pError} not 32 bytes */
export function headOf({ headBlockId }: HelloMessage): BlockId {
  return idOf(headBlockId);
}

function idOf(id = new HelloMessageBlockId()): BlockId {
  return blockIdWith(id.hash, id.number);
}

function wireId({ hex, number }: BlockId): HelloMessageBlockId {
  return Object.assign(new HelloMessageBlockId(), { hash: fromHex(hex), number: BigInt(number) });
}
