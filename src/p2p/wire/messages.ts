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

/** Why a connection is ended, in the reference's words. */
export type Reason = keyof typeof ReasonCode;

/** What inventories list. */
export type ItemKind = 'block' | 'transaction';

interface ItemList {
  readonly kind: ItemKind;
  /** Ids of 64 digits. */
  readonly ids: readonly string[];
}

/** A list as it came: a kind that this release does not know is undefined. */
export interface ReadItemList {
  readonly kind: ItemKind | undefined;
  /** Ids of 64 digits. */
  readonly ids: readonly string[];
}

/** Payload of ping and pong; that of others is not looked at. */
const PING_PAYLOAD = Uint8Array.of(0xc0);

const ITEM_KINDS: ReadonlyMap<number, ItemKind> = new Map([
  [InventoryType.BLOCK, 'block'],
  [InventoryType.TRX, 'transaction'],
]);

/** Type byte in front. */
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

/** @throws {ProtobufError} */
export function decodeDisconnect(body: Uint8Array): Reason {
  const { reason } = DisconnectMessage.decode(body);
  const found = Object.entries(ReasonCode).find(([, code]) => code === reason);
  return (found?.[0] as Reason | undefined) ?? 'UNKNOWN';
}

/** What is offered, or asked for. */
export function encodeItems(name: 'INVENTORY' | 'FETCH_INV_DATA', { kind, ids }: ItemList): Uint8Array {
  const type = kind === 'block' ? InventoryType.BLOCK : InventoryType.TRX;
  return encodeMessage(name, Inventory.encode(Object.assign(new Inventory(), { type, ids: ids.map(fromHex) })));
}

/** @throws {ProtobufError | P2pError} an id that is not 32 bytes */
export function decodeItems(body: Uint8Array): ReadItemList {
  const steps = itemsInSteps(body);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same of a long list, part by part. @throws {ProtobufError | P2pError} as {@link decodeItems} */
export function* itemsInSteps(body: Uint8Array): Generator<undefined, ReadItemList> {
  let type = 0;
  const ids: string[] = [];
  for (const chunk of fieldChunks(body)) {
    if (chunk !== undefined) {
      const part = Inventory.decode(chunk);
      // A part without the type has 0, which is a type too: the reference writes it first, and once.
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

/** @throws {ProtobufError | P2pError} */
export function decodeSyncRequest(body: Uint8Array): readonly BlockId[] {
  return BlockInventory.decode(body).ids.map(({ hash, number }) => blockIdWith(hash, number));
}

/** Ids of one chain in their order, and how many more follow the last. */
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

/** @throws {ProtobufError | P2pError} */
export function decodeChainIds(body: Uint8Array): ChainIds {
  const { ids, remainNum } = ChainInventory.decode(body);
  return { ids: ids.map(({ hash, number }) => blockIdWith(hash, number)), remaining: Number(remainNum) };
}

function wireId({ hex, number }: BlockId): { hash: Uint8Array; number: bigint } {
  return { hash: fromHex(hex), number: BigInt(number) };
}
