import { BlockInventory, BlockInventoryBlockId, BlockInventoryType, ChainInventory, ChainInventoryBlockId, DisconnectMessage, Inventory, InventoryInventoryType as InventoryType, ReasonCode, } from '../../log/codec/generated/messages.js';
import { fromHex } from '../../log/domain/bytes.js';
import { blockIdWith, hashHex } from './block-id.js';
import { MessageType } from './message-types.js';
/** Payload of ping and pong; that of others is not looked at. */
const PING_PAYLOAD = Uint8Array.of(0xc0);
const ITEM_KINDS = new Map([
    [InventoryType.BLOCK, 'block'],
    [InventoryType.TRX, 'transaction'],
]);
/** Type byte in front. */
export function encodeMessage(name, body) {
    return Buffer.concat([Uint8Array.of(MessageType[name]), body]);
}
export function encodePong() {
    return encodeMessage('P2P_PONG', PING_PAYLOAD);
}
export function encodeDisconnect(reason) {
    const message = Object.assign(new DisconnectMessage(), { reason: ReasonCode[reason] });
    return encodeMessage('P2P_DISCONNECT', DisconnectMessage.encode(message));
}
/** @throws {ProtobufError} */
export function decodeDisconnect(body) {
    const { reason } = DisconnectMessage.decode(body);
    const found = Object.entries(ReasonCode).find(([, code]) => code === reason);
    return found?.[0] ?? 'UNKNOWN';
}
/** What is offered, or asked for. */
export function encodeItems(name, { kind, ids }) {
    const type = kind === 'block' ? InventoryType.BLOCK : InventoryType.TRX;
    return encodeMessage(name, Inventory.encode(Object.assign(new Inventory(), { type, ids: ids.map(fromHex) })));
}
/** @throws {ProtobufError | P2pError} an id that is not 32 bytes */
export function decodeItems(body) {
    const { type, ids } = Inventory.decode(body);
    return { kind: ITEM_KINDS.get(type), ids: ids.map(hashHex) };
}
export function encodeSyncRequest(ids) {
    const message = new BlockInventory();
    message.type = BlockInventoryType.SYNC;
    message.ids = ids.map((id) => Object.assign(new BlockInventoryBlockId(), wireId(id)));
    return encodeMessage('SYNC_BLOCK_CHAIN', BlockInventory.encode(message));
}
/** @throws {ProtobufError | P2pError} */
export function decodeSyncRequest(body) {
    return BlockInventory.decode(body).ids.map(({ hash, number }) => blockIdWith(hash, number));
}
export function encodeChainIds({ ids, remaining }) {
    const message = new ChainInventory();
    message.ids = ids.map((id) => Object.assign(new ChainInventoryBlockId(), wireId(id)));
    message.remainNum = BigInt(remaining);
    return encodeMessage('BLOCK_CHAIN_INVENTORY', ChainInventory.encode(message));
}
/** @throws {ProtobufError | P2pError} */
export function decodeChainIds(body) {
    const { ids, remainNum } = ChainInventory.decode(body);
    return { ids: ids.map(({ hash, number }) => blockIdWith(hash, number)), remaining: Number(remainNum) };
}
function wireId({ hex, number }) {
    return { hash: fromHex(hex), number: BigInt(number) };
}
//# sourceMappingURL=messages.js.map