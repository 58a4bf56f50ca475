import {
  BlockInventory,
  BlockInventoryBlockId,
  ChainInventory,
  ChainInventoryBlockId,
  HelloMessage,
  HelloMessageBlockId,
  Inventory,
  type Transaction,
  Transactions,
} from '../../../src/codec/generated/messages.js';
import { createNodeId, toEndpoint } from '../../../src/p2p/transport/node-address.js';
import { encodeMessage } from '../../../src/p2p/wire/messages.js';
import { NETWORK, type PeerNode } from '../../support/peers/peer-node.js';

/** A block id, and the height that a message states for it. */
export interface SaidId {
  readonly hash: Uint8Array;
  readonly number: bigint;
}

export function saidId(hash: Uint8Array): SaidId {
  return { hash, number: hash.length < 8 ? 0n : Buffer.from(hash).readBigInt64BE(0) };
}

export function helloOf({ node }: PeerNode, changes: Partial<HelloMessage> = {}): HelloMessage {
  const { ledger, solidifiedNumber } = node.chain;
  const id = (number: number): HelloMessageBlockId =>
    Object.assign(new HelloMessageBlockId(), { hash: ledger.blockIdAt(number), number: BigInt(number) });
  return Object.assign(new HelloMessage(), {
    from: toEndpoint({ id: createNodeId(), ipv4: '127.0.0.1', ipv6: undefined, port: 1 }),
    version: NETWORK,
    timestamp: 1n,
    genesisBlockId: id(0),
    solidBlockId: id(solidifiedNumber),
    headBlockId: id(ledger.position.headNumber),
    ...changes,
  });
}

export function helloId(hash: Uint8Array, number = saidId(hash).number): HelloMessageBlockId {
  return Object.assign(new HelloMessageBlockId(), { hash, number });
}

export function sayHello(hello: HelloMessage): Uint8Array {
  return encodeMessage('P2P_HELLO', HelloMessage.encode(hello));
}

export function saySummary(ids: readonly SaidId[], type = 0): Uint8Array {
  const listed = ids.map((id) => Object.assign(new BlockInventoryBlockId(), id));
  return encodeMessage(
    'SYNC_BLOCK_CHAIN',
    BlockInventory.encode(Object.assign(new BlockInventory(), { type, ids: listed })),
  );
}

export function sayChainIds(ids: readonly SaidId[], remainNum = 0n): Uint8Array {
  const listed = ids.map((id) => Object.assign(new ChainInventoryBlockId(), id));
  return encodeMessage(
    'BLOCK_CHAIN_INVENTORY',
    ChainInventory.encode(Object.assign(new ChainInventory(), { ids: listed, remainNum })),
  );
}

/** Encodes a list of ids. @param type 0 for transactions, 1 for blocks; other values are invalid */
export function sayItems(name: 'INVENTORY' | 'FETCH_INV_DATA', type: number, ids: readonly Uint8Array[]): Uint8Array {
  return encodeMessage(name, Inventory.encode(Object.assign(new Inventory(), { type, ids: [...ids] })));
}

export function sayTransactions(transactions: readonly Transaction[]): Uint8Array {
  return encodeMessage(
    'TRXS',
    Transactions.encode(Object.assign(new Transactions(), { transactions: [...transactions] })),
  );
}

export function sayBlock(bytes: Uint8Array): Uint8Array {
  return encodeMessage('BLOCK', bytes);
}
