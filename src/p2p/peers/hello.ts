import { HelloMessage, HelloMessageBlockId } from '../../codec/generated/messages.js';
import { HASH_BYTES } from '../../crypto/hash.js';
import { equalBytes, fromHex, utf8 } from '../../primitives/bytes.js';
import type { LocalChain } from '../local-chain.js';
import type { PeerRelease } from '../releases/peer-release.js';
import { type NodeAddress, toEndpoint } from '../transport/node-address.js';
import { type BlockId, blockIdWith } from '../wire/block-id.js';
import type { Reason } from '../wire/messages.js';

interface HelloOptions {
  readonly self: NodeAddress;
  /** Id of the network: `node.p2p.version`. */
  readonly networkId: number;
  /** Start time of the connection in ms since 1970. It is the timestamp of the HELLO. */
  readonly startMs: number;
  readonly release: PeerRelease;
}

/** Value of the node type "lite full node", which has no old blocks. Reference: ChainBaseManager.NodeType.LITE. */
const LITE = 1;

/** Returns the HELLO of this node, with its chain state. Reference: HelloMessage. */
export function createHello(chain: LocalChain, { self, networkId, startMs, release }: HelloOptions): HelloMessage {
  const { lowestNumber } = chain;
  return Object.assign(new HelloMessage(), {
    from: toEndpoint(self),
    version: networkId,
    timestamp: BigInt(startMs),
    genesisBlockId: wireId(chain.genesis),
    solidBlockId: wireId(chain.solidified),
    headBlockId: wireId(chain.head),
    ...(lowestNumber > 1 && { nodeType: LITE, lowestBlockNum: BigInt(lowestNumber) }),
    ...(release.codeVersion !== undefined && { codeVersion: utf8(release.codeVersion) }),
  });
}

/** Maximum size of each text in a HELLO, in bytes. Only some releases check it. */
const HELLO_TEXT_BYTES_MAX = 200;

/**
 * Returns true if a HELLO is well-formed: it contains all three block ids. Some releases also check sizes. Reference:
 * HelloMessage.valid.
 */
export function isValidHello(hello: HelloMessage, { checksHelloSizes }: PeerRelease): boolean {
  const { genesisBlockId, solidBlockId, headBlockId, address, signature, codeVersion } = hello;
  const sizes = [genesisBlockId, solidBlockId, headBlockId].map((id) => id?.hash.length ?? 0);
  if (!checksHelloSizes) return sizes.every((size) => size > 0);
  const texts = [address, signature, codeVersion];
  return sizes.every((size) => size === HASH_BYTES) && texts.every(({ length }) => length <= HELLO_TEXT_BYTES_MAX);
}

/**
 * Returns the disconnect reason if a peer is incompatible with this node; undefined for a compatible peer. The order of
 * the checks is that of java-tron. Reference: HandshakeService.processHelloMessage.
 * @throws {P2pError} an id is not 32 bytes long
 */
export function rejectReasonOfHello(
  chain: LocalChain,
  hello: HelloMessage,
  { networkId, release }: Pick<HelloOptions, 'networkId' | 'release'>,
): Reason | undefined {
  const { head, genesis, solidified, lowestNumber } = chain;
  if (hello.lowestBlockNum > BigInt(head.number)) return 'LIGHT_NODE_SYNC_FAIL';
  if (hello.version !== networkId) return 'INCOMPATIBLE_VERSION';
  if (!equalBytes(fromHex(idOf(hello.genesisBlockId).hex), fromHex(genesis.hex))) return 'INCOMPATIBLE_CHAIN';
  const solid = idOf(hello.solidBlockId);
  if (solidified.number < solid.number || chain.isCanonical(solid)) return undefined;
  return lowestNumber <= solid.number ? 'FORKED' : release.solidBelowLowest;
}

/** Returns the head of the peer. @throws {P2pError} the id is not 32 bytes long */
export function headOf({ headBlockId }: HelloMessage): BlockId {
  return idOf(headBlockId);
}

function idOf(id = new HelloMessageBlockId()): BlockId {
  return blockIdWith(id.hash, id.number);
}

function wireId({ hex, number }: BlockId): HelloMessageBlockId {
  return Object.assign(new HelloMessageBlockId(), { hash: fromHex(hex), number: BigInt(number) });
}
