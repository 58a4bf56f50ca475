/** Types and flags of HTTP/2 frames (RFC 9113, section 6). */
export const FrameType = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;
const HEAD_BYTES = 9;

/** Encodes a frame. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes the payload of a SETTINGS frame from pairs of identifier and value. */
export function settings(entries: readonly (readonly [number, number])[]): Buffer {
  return Buffer.concat(entries.map(([id, value]) => Buffer.concat([Buffer.from([0, id]), uint32(value)])));
}

/** First bytes of a client: the preface and an empty SETTINGS frame. */
export const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(FrameType.SETTINGS, 0, 0),
]);

/**
 * Encodes a header field without adding it to the compression table (RFC 7541, 6.2.2), so that equal requests have
 * equal bytes. Name and value must be shorter than 127 bytes.
 */
export function field(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}

/** Encodes the header fields of a gRPC call. The first two bytes represent `:method POST` and `:scheme http`. */
export function callFields(method: string): Buffer {
  return Buffer.concat([
    Buffer.from([0x83, 0x86]),
    field(':path', `/${method}`),
    field(':authority', 'x'),
    field('content-type', 'application/grpc'),
    field('te', 'trailers'),
  ]);
}

/** A received frame. */
export interface Http2Frame {
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/** Splits received bytes into whole frames and the rest, which is an incomplete frame. */
export function readFrames(bytes: Buffer): { readonly frames: readonly Http2Frame[]; readonly rest: Buffer } {
  const frames: Http2Frame[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const end = at + HEAD_BYTES + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    frames.push({ type: bytes[at + 3]!, flags: bytes[at + 4]!, payload: bytes.subarray(at + HEAD_BYTES, end) });
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}
