import {
  BlockInventory,
  BlockInventoryBlockId,
  BlockInventoryType,
  ChainInventory,
  ChainInventoryBlockId,
  DisconnectMessage,
  Inventory,
  InventoryInventoryType as InventoryType,
  ReasonCode,
} from '../../codec/generated/messages.js';
import { fromHex } from '../../primitives/bytes.js';
import { type BlockId, blockIdWith, hashHex } from './block-id.js';
import { fieldChunks } from './field-chunks.js';
import { type MessageName, WireMessageType } from './message-types.js';

/** Reason for ending a connection, with the names of java-tron. */
export type Reason = keyof typeof ReasonCode;

/** Kind of the items of an inventory. */
export type ItemKind = 'block' | 'transaction';

interface ItemList {
  readonly kind: ItemKind;
  /** Ids of the items, 64 hex digits each. */
  readonly ids: readonly string[];
}

/** A received inventory. The kind is undefined if the emulated release does not know it. */
export interface ReadItemList {
  readonly kind: ItemKind | undefined;
  /** Ids of the items, 64 hex digits each. */
  readonly ids: readonly string[];
}

/** Payload of ping and pong. Received payloads are ignored. */
const PING_PAYLOAD = Uint8Array.of(0xc0);

const ITEM_KINDS: ReadonlyMap<number, ItemKind> = new Map([
  [InventoryType.BLOCK, 'block'],
  [InventoryType.TRX, 'transaction'],
]);

/** Returns a message with its type byte in front. */
export function encodeMessage(name: MessageName, body: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(WireMessageType[name]), body]);
}

export function encodePong(): Uint8Array {
  return encodeMessage('P2P_PONG', PING_PAYLOAD);
}

export function encodeDisconnect(reason: Reason): Uint8Array {
  const message = Object.assign(new DisconnectMessage(), { reason: ReasonCode[reason] });
  return encodeMessage('P2P_DISCONNECT', DisconnectMessage.encode(message));
}

/**
 * Decodes the reason of a disconnect message. Returns `UNKNOWN` for an unknown code.
 * @throws {ProtobufError} when the message is malformed
 */
export function decodeDisconnect(body: Uint8Array): Reason {
  const { reason } = DisconnectMessage.decode(body);
  const found = Object.entries(ReasonCode).find(([, code]) => code === reason);
  return (found?.[0] as Reason | undefined) ?? 'UNKNOWN';
}

/** Returns a message that announces or requests items. */
export function encodeItems(name: 'INVENTORY' | 'FETCH_INV_DATA', { kind, ids }: ItemList): Uint8Array {
  const type = kind === 'block' ? InventoryType.BLOCK : InventoryType.TRX;
  return encodeMessage(name, Inventory.encode(Object.assign(new Inventory(), { type, ids: ids.map(fromHex) })));
}

/**
 * Decodes an inventory or a request for items.
 * @throws {ProtobufError | P2pError} the message is malformed, or an id is not 32 bytes long
 */
export function decodeItems(body: Uint8Array): ReadItemList {
  const steps = itemsInSteps(body);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Decodes a long inventory in steps.
 * @throws {ProtobufError | P2pError} the message is malformed, or an id is not 32 bytes long
 */
export function* itemsInSteps(body: Uint8Array): Generator<undefined, ReadItemList> {
  let type = 0;
  const ids: string[] = [];
  for (const chunk of fieldChunks(body)) {
    if (chunk !== undefined) {
      const part = Inventory.decode(chunk);
      // An element without a type field decodes as type 0, which is also a valid type. A type 0 therefore does not
      // replace an earlier type. java-tron writes the type exactly once, as the first field.
      if (part.type !== 0) type = part.type;
      for (const id of part.ids) ids.push(hashHex(id));
    }
    yield;
  }
  return { kind: ITEM_KINDS.get(type), ids };
}

export function encodeSyncRequest(ids: readonly BlockId[]): Uint8Array {
  const message = new BlockInventory();
  message.type = BlockInventoryType.SYNC;
  message.ids = ids.map((id) => Object.assign(new BlockInventoryBlockId(), wireId(id)));
  return encodeMessage('SYNC_BLOCK_CHAIN', BlockInventory.encode(message));
}

/**
 * Decodes a chain summary.
 * @throws {ProtobufError | P2pError} when the message is malformed, or an id is not 32 bytes long
 */
export function decodeSyncRequest(body: Uint8Array): readonly BlockId[] {
  return BlockInventory.decode(body).ids.map(({ hash, number }) => blockIdWith(hash, number));
}

/** Consecutive ids of a chain, and the number of blocks that follow the last id. */
export interface ChainIds {
  readonly ids: readonly BlockId[];
  readonly remaining: number;
}

export function encodeChainIds({ ids, remaining }: ChainIds): Uint8Array {
  const message = new ChainInventory();
  message.ids = ids.map((id) => Object.assign(new ChainInventoryBlockId(), wireId(id)));
  message.remainNum = BigInt(remaining);
  return encodeMessage('BLOCK_CHAIN_INVENTORY', ChainInventory.encode(message));
}

/**
 * Decodes a chain inventory.
 * @throws {ProtobufError | P2pError} when the message is malformed, or an id is not 32 bytes long
 */
export function decodeChainIds(body: Uint8Array): ChainIds {
  const { ids, remainNum } = ChainInventory.decode(body);
  return { ids: ids.map(({ hash, number }) => blockIdWith(hash, number)), remaining: Number(remainNum) };
}

function wireId({ hex, number }: BlockId): { hash: Uint8Array; number: bigint } {
  return { hash: fromHex(hex), number: BigInt(number) };
}
