import snappy from 'snappy';

/**
 * Into memory that the garbage collector frees by itself: what is only lent costs a call for each buffer, in pauses of
 * milliseconds, and is freed in a turn of the event loop, while a store is read and written in one.
 */
const OWN_MEMORY = { copyOutputData: true };

/** A snappy block. Source: the format's description, framing left out. */
export function compress(bytes: Uint8Array): Buffer {
  return snappy.compressSync(bufferOf(bytes), OWN_MEMORY);
}

/**
 * Bytes of a snappy block; undefined for what is none. What it says of its length is not looked at before: see
 * {@link snappyLength}.
 */
export function uncompress(block: Uint8Array): Buffer | undefined {
  try {
    return snappy.uncompressSync(bufferOf(block), { ...OWN_MEMORY, asBuffer: true }) as Buffer;
  } catch {
    // The library's only way to say "no such block".
    return undefined;
  }
}

/** A snappy block begins with the length of what it holds; undefined where it does not. */
export function snappyLength(block: Uint8Array): number | undefined {
  let length = 0;
  for (let at = 0; at < 5; at++) {
    const byte = block[at];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte <= 0x7f) return length;
  }
  return undefined;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
