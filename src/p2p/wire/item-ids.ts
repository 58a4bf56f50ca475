import { Inventory, InventoryInventoryType as InventoryType } from '../../log/codec/generated/messages.js';
import { hashHex, ID_BYTES } from './block-id.js';

/** Tags of `Inventory`: its type, and one id. */
const [TYPE_TAG, ID_TAG] = [0x08, 0x12];
/** Bytes of an id with its tag and length. */
const FIELD_BYTES = 2 + ID_BYTES;

/** Ids of a message, made texts of 64 digits when they are asked for: a message can hold 150,000. */
export class ItemIds implements Iterable<string> {
  private readonly bytes: Buffer;
  private readonly offsets: Uint32Array;

  constructor(bytes: Uint8Array, offsets: Uint32Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.offsets = offsets;
  }

  get length(): number {
    return this.offsets.length;
  }

  at(index: number): string {
    const offset = this.offsets[index]!;
    return this.bytes.toString('hex', offset, offset + ID_BYTES);
  }

  /** Height in the id of a block. Reference: BlockId.getNum. */
  numberAt(index: number): number {
    const offset = this.offsets[index]!;
    return this.bytes.readInt32BE(offset) * 2 ** 32 + this.bytes.readUInt32BE(offset + 4);
  }

  slice(from: number, to: number): string[] {
    return Array.from(this.offsets.subarray(from, to), (offset) =>
      this.bytes.toString('hex', offset, offset + ID_BYTES),
    );
  }

  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

/** Number of the type, and the ids. @throws {ProtobufError | P2pError} an id that is not 32 bytes */
export function readInventory(body: Uint8Array): { readonly type: number; readonly ids: ItemIds } {
  const offsets = new Uint32Array(Math.floor(body.length / FIELD_BYTES));
  let type: number = InventoryType.TRX;
  let count = 0;
  for (let at = 0; at < body.length; ) {
    if (body[at] === ID_TAG && body[at + 1] === ID_BYTES && at + FIELD_BYTES <= body.length) {
      offsets[count++] = at + 2;
      at += FIELD_BYTES;
    } else if (body[at] === TYPE_TAG && body[at + 1]! < 0x80) {
      type = body[at + 1]!;
      at += 2;
    } else return readUnusual(body);
  }
  return { type, ids: new ItemIds(body, offsets.subarray(0, count)) };
}

/** Anything that a sender of ours would not write: unknown fields, long forms of numbers, what is no message at all. */
function readUnusual(body: Uint8Array): ReturnType<typeof readInventory> {
  const { type, ids } = Inventory.decode(body);
  for (const id of ids) if (id.length !== ID_BYTES) hashHex(id);
  return {
    type,
    ids: new ItemIds(
      Buffer.concat(ids),
      Uint32Array.from(ids, (_, index) => index * ID_BYTES),
    ),
  };
}
