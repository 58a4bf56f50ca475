import snappy from 'snappy';

/**
 * Option for output in the garbage-collected heap. Memory outside of the heap would slow down garbage collection. Such
 * memory would also be freed only between turns of the event loop, but one turn processes a whole store.
 */
const OWN_MEMORY = { copyOutputData: true };

/** Compresses bytes to a snappy block. Source: the format description of snappy, without framing. */
export function compress(bytes: Uint8Array): Buffer {
  return snappy.compressSync(bufferOf(bytes), OWN_MEMORY);
}

/**
 * Decompresses a snappy block; undefined if the block is invalid. Does not limit the output size, so callers must first
 * check {@link snappyLength}.
 */
export function uncompress(block: Uint8Array): Buffer | undefined {
  try {
    return snappy.uncompressSync(bufferOf(block), { ...OWN_MEMORY, asBuffer: true }) as Buffer;
  } catch {
    // The library reports an invalid block only with an exception.
    return undefined;
  }
}

/** Returns the uncompressed length from the header of a snappy block; undefined if the header is invalid. */
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
