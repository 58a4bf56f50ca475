import { randomBytes } from 'node:crypto';
import {
  Any,
  Block,
  BlockHeader,
  BlockHeaderRaw,
  Inventory,
  Transaction,
  TransactionContract,
  TransactionRaw,
  Transactions,
} from '../../../src/codec/generated/messages.js';
import { sha256 } from '../../../src/crypto/hash.js';
import type { BlockId } from '../../../src/p2p/wire/block-id.js';
import { type MessageName, WireMessageType } from '../../../src/p2p/wire/message-types.js';
import {
  decodeChainIds,
  encodeChainIds,
  encodeItems,
  encodeMessage,
  encodeSyncRequest,
  type ItemKind,
} from '../../../src/p2p/wire/messages.js';
import { fromInt64, toHex } from '../../../src/primitives/bytes.js';
import type { HostilePeer } from './hostile-peer.js';

/** Size of the largest frame in bytes, slightly below the limit of the transport. */
const FRAME_BYTES = 5 * 1024 * 1024 - 100;
export type LargestMessage = (peer: HostilePeer, grownBytes: number) => Promise<readonly Uint8Array[]>;

/** Number of ids that fit into a frame. Each has 34 bytes. */
const IDS = Math.floor(FRAME_BYTES / 34);

const inventory = (name: 'INVENTORY' | 'FETCH_INV_DATA', type: number, ids: readonly Uint8Array[]): Uint8Array =>
  encodeMessage(name, Inventory.encode(Object.assign(new Inventory(), { type, ids })));
const randomIds = (count: number): Uint8Array[] => Array.from({ length: count }, () => randomBytes(32));
const typeOf = (kind: ItemKind): number => (kind === 'block' ? 1 : 0);
/** Creates a message by repeating one encoded field, which is empty or unknown. */
const repeated = (name: MessageName, field: string, bytes: number): Uint8Array =>
  Buffer.concat([Uint8Array.of(WireMessageType[name]), Buffer.alloc(bytes & ~1, field, 'hex')]);
const chainIds = (count: number): BlockId[] =>
  Array.from({ length: count }, (_, at) => ({
    hex: toHex(fromInt64(BigInt(at))) + toHex(randomBytes(24)),
    number: at,
  }));

/** Creates a block above the head. Empty transactions fill it up to `bytes` bytes. */
function junkBlock(bytes: number): { id: Uint8Array; message: Uint8Array } {
  const raw = Object.assign(new BlockHeaderRaw(), {
    number: 1_000_000n,
    timestamp: BigInt(Date.now()),
    parentHash: randomBytes(32),
  });
  const header = Object.assign(new BlockHeader(), { rawData: raw, witnessSignature: randomBytes(65) });
  const hash = sha256(BlockHeaderRaw.encode(raw));
  const body = Block.encode(Object.assign(new Block(), { blockHeader: header }));
  const empties = repeated('BLOCK', '0a00', bytes - body.length);
  return { id: Buffer.concat([fromInt64(raw.number), hash.subarray(8)]), message: Buffer.concat([empties, body]) };
}

function junkTransaction(bytes: number): { id: Uint8Array; transaction: Transaction } {
  const parameter = Object.assign(new Any(), {
    typeUrl: 'type.googleapis.com/protocol.TransferContract',
    value: randomBytes(bytes),
  });
  const contract = [Object.assign(new TransactionContract(), { type: 1, parameter })];
  const rawData = Object.assign(new TransactionRaw(), { contract, expiration: 1n });
  const id = sha256(TransactionRaw.encode(rawData));
  return { id, transaction: Object.assign(new Transaction(), { rawData, signature: [randomBytes(65)] }) };
}

const transactionsMessage = (transactions: Transaction[]): Uint8Array =>
  encodeMessage('TRXS', Transactions.encode(Object.assign(new Transactions(), { transactions })));

async function knownIds(peer: HostilePeer): Promise<readonly BlockId[]> {
  const genesis = { hex: toHex(peer.hello.genesisBlockId!.hash), number: 0 };
  peer.say(encodeSyncRequest([genesis]));
  return decodeChainIds((await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY))!).ids;
}

/**
 * Functions that create the largest messages, by type and content. If the name contains `behind`, the sender is a peer
 * whose HELLO states only genesis.
 */
export const largestMessages: Readonly<Record<string, LargestMessage>> = {
  ...Object.fromEntries(
    (['INVENTORY', 'FETCH_INV_DATA'] as const).flatMap((name) => [
      ...(['block', 'transaction'] as const).map((kind) => [
        `${name} of ${kind}s`,
        async () => [inventory(name, typeOf(kind), randomIds(IDS))],
      ]),
      [`${name} of empty ids`, async (_peer: HostilePeer, grown: number) => [repeated(name, '1200', grown)]],
      [`${name} of unknown fields`, async (_peer: HostilePeer, grown: number) => [repeated(name, '3800', grown)]],
    ]),
  ),
  'INVENTORY of one id': async (_peer, grown) => [
    inventory('INVENTORY', 1, new Array<Uint8Array>(Math.floor(grown / 34)).fill(randomBytes(32))),
  ],
  'SYNC_BLOCK_CHAIN of unknown ids': async () => [encodeSyncRequest(chainIds(100_000))],
  'SYNC_BLOCK_CHAIN of empty ids': async (_peer, grown) => [repeated('SYNC_BLOCK_CHAIN', '0a00', grown)],
  'SYNC_BLOCK_CHAIN of known ids': async (peer) => {
    const genesis = { hex: toHex(peer.hello.genesisBlockId!.hash), number: 0 };
    return [encodeSyncRequest([genesis, ...chainIds(100_000)])];
  },
  'BLOCK_CHAIN_INVENTORY of unknown ids': async () => [encodeChainIds({ ids: chainIds(100_000), remaining: 0 })],
  'BLOCK_CHAIN_INVENTORY of empty ids': async (_peer, grown) => [repeated('BLOCK_CHAIN_INVENTORY', '0a00', grown)],
  'FETCH_INV_DATA, behind: 100 blocks': async (peer) => {
    const ids = (await knownIds(peer)).slice(1, 101).map(({ hex }) => hex);
    return [encodeItems('FETCH_INV_DATA', { kind: 'block', ids })];
  },
  'BLOCK that was not requested': async (_peer, grown) => [junkBlock(grown).message],
  'BLOCK that was requested': async (peer, grown) => {
    const { id, message } = junkBlock(grown);
    peer.say(inventory('INVENTORY', 1, [id]));
    await peer.next(WireMessageType.FETCH_INV_DATA);
    return [message];
  },
  'BLOCK of 2 MB that was requested': async (peer) => {
    const { id, message } = junkBlock(2_000_000);
    peer.say(inventory('INVENTORY', 1, [id]));
    await peer.next(WireMessageType.FETCH_INV_DATA);
    return [message];
  },
  'TRXS that were not requested': async (_peer, grown) => [repeated('TRXS', '0a00', grown)],
  'TRXS of 200 bytes each that were not requested': async () => {
    const { transaction } = junkTransaction(50);
    return [transactionsMessage(new Array<Transaction>(20_000).fill(transaction))];
  },
  'TRXS that were requested': async (peer) => {
    const made = Array.from({ length: 1000 }, () => junkTransaction(4000));
    peer.say(
      inventory(
        'INVENTORY',
        0,
        made.map(({ id }) => id),
      ),
    );
    await peer.next(WireMessageType.FETCH_INV_DATA);
    return [transactionsMessage(made.map(({ transaction }) => transaction))];
  },
  'TRXS of one transaction with the maximum number of signatures': async (_peer, grown) => {
    const signatures = Buffer.alloc((grown - 100) & ~1, '1200', 'hex');
    const message = Transactions.encode(Object.assign(new Transactions(), { transactions: [] }));
    const length: number[] = [];
    for (let rest = signatures.length; rest > 0; rest >>>= 7) length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    return [Buffer.concat([Uint8Array.of(WireMessageType.TRXS), message, Uint8Array.of(0x0a, ...length), signatures])];
  },
  'PBFT_COMMIT_MSG of empty signatures': async (_peer, grown) => [repeated('PBFT_COMMIT_MSG', '1200', grown)],
  'PBFT_MSG of unknown fields': async (_peer, grown) => [repeated('PBFT_MSG', '3800', grown)],
  'P2P_HELLO of unknown fields': async (_peer, grown) => [repeated('P2P_HELLO', '7800', grown)],
  'P2P_DISCONNECT of unknown fields': async (_peer, grown) => [repeated('P2P_DISCONNECT', '3800', grown)],
  'P2P_PING of 5 MB': async (_peer, grown) => [repeated('P2P_PING', '0000', grown)],
  'P2P_PING, 10,000 of them': async () =>
    new Array<Uint8Array>(10_000).fill(encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
};
