import { gzipSync } from 'node:zlib';
import t from 'tap';
import { MessageReader, unpack } from '../../../../src/api/grpc/message-reader.js';

const BYTES_MAX = 10;

function frame(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

const MESSAGES = ['', 'a', '0123456789', ''].map((text) => frame(Buffer.from(text)));

t.test('splits a request into messages for any size of chunks', async (t) => {
  const all = Buffer.concat(MESSAGES);
  for (let size = 1; size <= all.length; size++) {
    const reader = new MessageReader({ bytesMax: BYTES_MAX, isPacked: false });
    const found: Buffer[] = [];
    for (let at = 0; at < all.length; at += size) found.push(...reader.add(all.subarray(at, at + size)));
    t.same(found, MESSAGES, `chunks of ${size} bytes`);
    t.equal(reader.hasPart, false);
    t.equal(reader.bufferedBytes, 0);
  }
});

t.test('allocates memory only for bytes that have arrived', async (t) => {
  const reader = new MessageReader({ bytesMax: 2 ** 22, isPacked: false });
  const large = frame(Buffer.alloc(2 ** 22));
  t.same(reader.add(large.subarray(0, 5)), []);
  t.ok(reader.bufferedBytes <= 1024, 'the buffer does not have the announced size');
  t.same(reader.add(large.subarray(5, 20_000)), []);
  t.ok(reader.bufferedBytes <= 40_000);
  t.ok(reader.hasPart);
});

t.test('rejects a message with a malformed length prefix', async (t) => {
  const add = (bytes: Buffer, isPacked: boolean) => () =>
    new MessageReader({ bytesMax: BYTES_MAX, isPacked }).add(bytes);
  t.throws(add(frame(Buffer.alloc(11)), false), { message: 'gRPC message exceeds maximum size 10: 11' });
  t.throws(add(frame(Buffer.alloc(0), 2), true), { message: /reserved bits not zero/ });
  t.throws(add(frame(Buffer.alloc(0), 1), false), { message: /compression not configured/ });
});

t.test('decompresses a message up to the maximum size', async (t) => {
  const packed = (size: number): Buffer => frame(gzipSync(Buffer.alloc(size)), 1);
  t.equal(unpack(packed(BYTES_MAX), BYTES_MAX).length, BYTES_MAX);
  t.throws(() => unpack(packed(BYTES_MAX + 1), BYTES_MAX));
  t.equal(String(unpack(frame(Buffer.from('a')), BYTES_MAX)), 'a');
});
