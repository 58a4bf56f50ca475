import t from 'tap';
import { UnfinishedMessage } from '../../../../../src/api/http/web-sockets/unfinished-message.js';

const TEXT = 1;
const CONTINUED = 0;
const PING = 9;
/** Bytes that the memory budget counts for each fragment, in addition to the bytes of the fragment. */
const FRAGMENT = 256;

/** Returns a masked frame, as clients send it. The mask is zero. */
function frame(code: number, length: number, isLast: boolean): Buffer {
  const size =
    length < 126
      ? [length | 0x80]
      : length < 65_536
        ? [126 | 0x80, length >> 8, length & 255]
        : [127 | 0x80, ...long(length)];
  return Buffer.concat([Buffer.from([code | (isLast ? 0x80 : 0), ...size, 0, 0, 0, 0]), Buffer.alloc(length)]);
}

function long(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}

for (const length of [0, 1, 125, 126, 65_535, 65_536]) {
  t.test(`counts a message of ${length} bytes until its last byte`, async (t) => {
    const unfinished = new UnfinishedMessage();
    const bytes = frame(TEXT, length, true);
    for (const byte of bytes.subarray(0, -1)) unfinished.add(Uint8Array.of(byte));
    t.equal(unfinished.bytes, length === 0 ? 0 : length - 1 + FRAGMENT);
    unfinished.add(bytes.subarray(-1));
    t.equal(unfinished.bytes, 0);
  });
}

t.test('counts all fragments of a message, but no control frames between them', async (t) => {
  const unfinished = new UnfinishedMessage();
  unfinished.add(Buffer.concat([frame(TEXT, 10, false), frame(PING, 5, true), frame(CONTINUED, 0, false)]));
  t.equal(unfinished.bytes, 10 + 2 * FRAGMENT);
  unfinished.add(Buffer.concat([frame(CONTINUED, 3, true), frame(TEXT, 7, false)]));
  t.equal(unfinished.bytes, 7 + FRAGMENT);
});
