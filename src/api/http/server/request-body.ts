import type { IncomingMessage } from 'node:http';

/** A request's body, as far as it is kept. */
export interface RequestBody {
  /** Undefined above what is kept. */
  readonly bytes: Uint8Array | undefined;
  /** Above the configured limit: to be refused. */
  readonly isTooLarge: boolean;
  /** It did not come in time. */
  readonly isLate?: boolean;
}

export const LATE_BODY: RequestBody = { bytes: new Uint8Array(0), isTooLarge: false, isLate: true };

/** More of a body is not kept where a handler does not look at its size. */
const UNCHECKED_BYTES_MAX = 16 * 1024 * 1024;

/** As the head tells. */
export function contentLengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** As the head tells. */
export function hasBody(request: IncomingMessage): boolean {
  return contentLengthOf(request) > 0 || isChunked(request);
}

/**
 * Reads a request's body; nothing is told of one that ends within it, which takes its request with it.
 * @param limit bytes
 */
export function readBody(request: IncomingMessage, limit: number | undefined, done: (body: RequestBody) => void): void {
  if (!isChunked(request) && contentLengthOf(request) <= UNCHECKED_BYTES_MAX) readShort(request, done);
  else readLong(request, limit).then(done, () => request.destroy());
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** A body whose length the head tells cannot be above a limit any more, and needs no iterator. */
function readShort(request: IncomingMessage, done: (body: RequestBody) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done({ bytes: joined(chunks), isTooLarge: false }));
  request.on('error', () => request.destroy());
}

async function readLong(chunks: AsyncIterable<Buffer>, limit: number | undefined): Promise<RequestBody> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (limit !== undefined && size > limit) return { bytes: undefined, isTooLarge: true };
    if (size > UNCHECKED_BYTES_MAX) kept.length = 0;
    else kept.push(chunk);
  }
  return { bytes: size > UNCHECKED_BYTES_MAX ? undefined : joined(kept), isTooLarge: false };
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [one, more] = chunks;
  return one !== undefined && more === undefined ? one : Buffer.concat(chunks);
}
