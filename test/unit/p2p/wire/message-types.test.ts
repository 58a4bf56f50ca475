import t from 'tap';
import { messageName, WireMessageType } from '../../../../src/p2p/wire/message-types.js';

t.test('assigns each type a unique byte below those of the connection layer', async (t) => {
  const bytes = Object.values(WireMessageType);
  t.equal(new Set(bytes).size, bytes.length);
  t.ok(bytes.every((byte) => byte < 0x80));
  for (const [name, byte] of Object.entries(WireMessageType)) t.equal(messageName(byte), name);
  t.same([0x00, 0x01, 0x0a, 0xff].map(messageName), [undefined, undefined, undefined, undefined]);
});
