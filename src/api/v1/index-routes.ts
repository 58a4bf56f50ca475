import { addressText } from '../../encoding/address-text.js';
import { type JsonObject, jsonObject } from '../../encoding/json/json-value.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { findIndex, indexNames } from '../../projections/indexes/indexes.js';
import { decodeIndexCursor, encodeIndexCursor, type IndexItem, indexPage } from '../indexes/index-pages.js';
import { OneChain } from './one-chain.js';
import { decodeTextFingerprint, encodeFingerprint } from './page.js';
import { readPathAddress } from './read-path.js';
import type { V1Answer } from './route.js';
import { badParameter } from './v1-error.js';

/**
 * Returns a page of an index for an address. With the parameter `height`, returns the list after the block at this
 * height.
 * @throws {V1Error} the request is invalid
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled
 */
export const indexItems: V1Answer = async (source, query, path) => {
  const name = itemAt(path, 0);
  const index = findIndex(name);
  if (index === undefined) throw badParameter('the index', `must be one of ${indexNames}`);
  const address = readPathAddress(source, itemAt(path, 1));
  const read = (text: string) => decodeIndexCursor(index, text);
  const after = decodeTextFingerprint(name, query.text('fingerprint'), read);
  const page = await indexPage(source, index, address, { limit: query.limit, after, height: query.number('height') });
  // Counts the read blocks, one per item, against the limit that all pages share.
  await new OneChain(source).take(page.items.length);
  return {
    items: page.items.map(itemRow),
    fingerprint: page.next === undefined ? undefined : encodeFingerprint(name, encodeIndexCursor(page.next)),
  };
};

function itemRow({ blockNumber, transactionIndex, transactionId, values }: IndexItem): JsonObject {
  const row = jsonObject({
    block_number: BigInt(blockNumber),
    transaction_index: BigInt(transactionIndex),
    transaction_id: toHex(transactionId),
  });
  for (const [name, value] of Object.entries(values)) {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    row.set(column, value instanceof Uint8Array ? addressText(value) : String(value));
  }
  return row;
}
