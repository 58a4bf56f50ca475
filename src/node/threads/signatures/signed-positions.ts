import { ANY_TAGS, BLOCK_TAGS, CONTRACT_TAGS, RAW_TAGS, TRANSACTION_TAGS } from '../../../codec/block-tags.js';
import { FieldScanner } from '../../../codec/field-scanner.js';
import { LENGTH_DELIMITED } from '../../../codec/wire-types.js';
import { SIGNATURE_BYTES } from '../../../crypto/secp256k1.js';
import { ADDRESS_BYTES } from '../../../primitives/address.js';

/** Number of positions per signature: start and end of the signed raw data, and start of the signature. */
export const POSITION_NUMBERS = 3;

/**
 * Returns byte offsets in the block, {@link POSITION_NUMBERS} per signature. They are only a hint that saves time:
 * positions may be missing or wrong if a block is not canonically encoded. Omits signatures shorter than 65 bytes,
 * because execution rejects them before it needs their signer.
 */
export function signedPositions(block: Uint8Array): readonly number[] {
  const places: number[] = [];
  const [outer, inner] = [new FieldScanner(block), new FieldScanner(block)];
  while (outer.next()) {
    if (outer.tag !== BLOCK_TAGS.transactions) continue;
    inner.enter(outer.start, outer.end);
    let rawStart = 0;
    let rawEnd = 0;
    while (inner.next()) {
      if (inner.tag === TRANSACTION_TAGS.rawData) {
        rawStart = inner.start;
        rawEnd = inner.end;
      } else if (inner.tag === TRANSACTION_TAGS.signature && inner.end - inner.start >= SIGNATURE_BYTES)
        places.push(rawStart, rawEnd, inner.start);
    }
  }
  return places;
}

/**
 * Returns the byte offset of the owner address (21 bytes) of a transaction: the first field of that length in the
 * contract. Undefined without such a field.
 * @param from start of the raw data
 * @param to end of the raw data
 */
export function ownerPosition(block: Uint8Array, from: number, to: number): number | undefined {
  const fields = new FieldScanner(block);
  fields.enter(from, to);
  for (const tag of [RAW_TAGS.contract, CONTRACT_TAGS.parameter, ANY_TAGS.value]) {
    do if (!fields.next()) return undefined;
    while (fields.tag !== tag);
    fields.enter(fields.start, fields.end);
  }
  while (fields.next()) {
    if ((fields.tag & 7) === LENGTH_DELIMITED && fields.end - fields.start === ADDRESS_BYTES) return fields.start;
  }
  return undefined;
}
