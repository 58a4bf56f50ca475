import t from 'tap';
import { Inventory } from '../../../../src/codec/generated/messages.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import {
  decodeChainIds,
  decodeDisconnect,
  decodeItems,
  decodeSyncRequest,
  encodeChainIds,
  encodeDisconnect,
  encodeItems,
  encodePong,
  encodeSyncRequest,
} from '../../../../src/p2p/wire/messages.js';
import { idAt } from '../../../support/p2p/made-chain.js';

const body = (bytes: Uint8Array) => bytes.subarray(1);

t.test('decodes the item lists, chain ids and disconnects that it encodes', async (t) => {
  const items = { kind: 'transaction', ids: ['ab'.repeat(32), 'cd'.repeat(32)] } as const;
  t.same(decodeItems(body(encodeItems('INVENTORY', items))), items);
  t.equal(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: [] })[0], WireMessageType.FETCH_INV_DATA);
  const ids = [idAt(5), idAt(6)];
  t.same(decodeSyncRequest(body(encodeSyncRequest(ids))), ids);
  t.same(decodeChainIds(body(encodeChainIds({ ids, remaining: 7 }))), { ids, remaining: 7 });
  t.equal(decodeDisconnect(body(encodeDisconnect('TOO_MANY_PEERS'))), 'TOO_MANY_PEERS');
  t.same([...encodePong()], [WireMessageType.P2P_PONG, 0xc0]);
});

t.test('treats values that no release defines as unknown kinds and reasons', async (t) => {
  t.equal(decodeItems(Inventory.encode(Object.assign(new Inventory(), { type: 9 }))).kind, undefined);
  t.equal(decodeDisconnect(Uint8Array.of(0x08, 0x7e)), 'UNKNOWN');
});

t.test('rejects an id that is not 32 bytes', async (t) => {
  const short = Inventory.encode(Object.assign(new Inventory(), { ids: [new Uint8Array(31)] }));
  t.throws(() => decodeItems(short), { code: 'PARSE_MESSAGE_FAILED' });
});
